import { type Clause, operand, operands, output, type Row, textOfArg, type Use, unless, when } from '../row.ts';
import { row } from './brief.ts';

const DEVICE = { follows: true, blind: true } as const;

/** btrfs(8), zfs(8): what is deleted as a whole. */
function volumes(use: Use): void {
  const words = use.words.operands.map((arg) => textOfArg(arg) ?? '');
  const at = words.findIndex((word) => /^(delete|destroy|rollback|remove)$/.test(word));
  if (at < 0) return;
  if (use.verb === 'btrfs')
    for (const arg of use.words.operands.slice(at + 1))
      use.out.effect({ verb: use.verb, path: arg, way: 'delete', recursive: true });
  else use.out.remark('a data set or volume as a whole: no copy of it fits beside it');
}

/** qemu-img(1). */
function images(use: Use): void {
  const [action, ...rest] = use.words.operands;
  const said = textOfArg(action) ?? '';
  const write = (arg: (typeof rest)[number] | undefined): void => {
    if (arg) use.out.effect({ verb: use.verb, path: arg, way: 'write-in-place', follows: true });
  };
  if (said === 'create') write(rest[0]);
  else if (said === 'convert') write(rest.at(-1));
  else if (/^(resize|rebase|commit|amend|snapshot|dd)$/.test(said)) write(rest[0]);
}

/** fallocate(1): plain allocation only grows a file; punching, collapsing and zeroing lose what was there. */
const allocates: Clause = (use) => {
  const loses = use.words.has('c', 'd', 'i', 'p', 'z');
  for (const arg of use.words.operands)
    use.out.effect({ verb: use.verb, path: arg, way: loses ? 'write-in-place' : 'append', follows: true });
};

/** File systems, partitions, disk images: what is written there is content of no file, so it is named, and held only for image files. */
export const disks: readonly Row[] = [
  row(
    'mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs mkfs.ntfs mkntfs',
    'mke2fs(8), mkntfs(8)',
    'the file system on its operand; `-n` only says what it would do',
    'b= c C= d= D e= E= F f g= G= i= I= J= j K l= L= m= M= n,no-action N= o= O= q Q r= S T= U= v z= H= p= s= a h',
    unless('n', operand(0, 'write-in-place', DEVICE)),
  ),
  row(
    'mkfs mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkdosfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.erofs mkfs.udf mkudffs',
    'mkfs(8)',
    'the file system on its operand',
    't,type= b= c C d= D= f F= g= i= I K l= L= m= M= n= N O= p= q r= R= s= S= v w= h= k= e= a= A U= z=',
    unless('N', operand(0, 'write-in-place', DEVICE)),
  ),

  row(
    'mkswap swaplabel',
    'mkswap(8)',
    'what is on its operand',
    'c f p= L= U= v= U e= o=',
    operand(0, 'write-in-place', DEVICE),
  ),
  row(
    'wipefs',
    'wipefs(8)',
    'with `-a` or `-o`, the signatures on its operands',
    'a,all b,backup? f,force i,noheadings J,json l,lock? n,no-act O,output= o,offset= p,parsable q,quiet t,types= h',
    when('a o', unless('n', operands('write-in-place', DEVICE))),
  ),
  row(
    'parted fdisk cfdisk sfdisk gdisk cgdisk',
    'fdisk(8), sfdisk(8), parted(8)',
    'the partition table on its operand',
    'l,list s,script,show-size a,align= n,no-act d,dump J,json A,activate N,partno= w,wipe= W,wipe-partitions= x u? b= f,fix,force o,output= t= c= i= p v,verify L B r',
    unless('l d J n', operand(0, 'write-in-place', DEVICE)),
  ),
  row(
    'sgdisk',
    'sgdisk(8)',
    'the partition table on its operand',
    'Z,zap-all z,zap o,clear n,new= d,delete= t,typecode= c,change-name= G u= U= g,mbrtogpt R,replicate= l,load-backup= b,backup= e,move-second-header p,print i,info= v,verify L,list-types P,pretend E F f D',
    unless('P L', operand(0, 'write-in-place', DEVICE)),
  ),

  row(
    'cryptsetup',
    'cryptsetup(8)',
    '`luksFormat` and `erase`: what is on the device',
    'q c= h= s= type= key-file= d= y v',
    (use) =>
      /^(luksFormat|erase|luksErase|reencrypt|luksKillSlot|luksRemoveKey)$/.test(textOfArg(use.words.operands[0]) ?? '')
        ? operand(1, 'write-in-place', DEVICE)(use)
        : undefined,
  ),
  row(
    'blkdiscard hdparm nvme badblocks',
    'blkdiscard(8), badblocks(8)',
    'what is on the device',
    'f o= l= p= s z v w n b= c= t= security-erase= i I',
    (use) =>
      use.verb === 'blkdiscard' || use.words.has('w', 'security-erase')
        ? operand(-1, 'write-in-place', DEVICE)(use)
        : undefined,
  ),
  row(
    'fsck e2fsck fsck.ext4 fsck.vfat xfs_repair ntfsfix resize2fs tune2fs debugfs btrfsck reiserfsck',
    'fsck(8)',
    'repairs the file system on its operand in place',
    'a A C? f M N n P p r R s t= T V y v b= B= E= c d D k l= L= j= z= w',
    unless('n N', operand(0, 'write-in-place', DEVICE)),
  ),
  row(
    'lvremove vgremove pvremove dmsetup mdadm',
    'lvremove(8), mdadm(8)',
    'volumes and what is on them',
    'f y v t zero-superblock stop S C= l= n=',
    (use) => use.out.remark('a volume as a whole: no copy of it fits beside it'),
    when('zero-superblock', operands('write-in-place', DEVICE)),
  ),
  row(
    'btrfs zfs zpool',
    'btrfs-subvolume(8), zfs-destroy(8)',
    '`subvolume delete`, `destroy`, `rollback`: a tree as a whole',
    'r R f n v c C',
    volumes,
  ),
  row(
    'fallocate',
    'fallocate(1)',
    'with `-p`, `-c`, `-z`, `-d`, ranges of its operand',
    'c,collapse-range d,dig-holes i,insert-range l,length= n,keep-size o,offset= p,punch-hole x,posix z,zero-range v',
    allocates,
  ),
  row(
    'qemu-img',
    'qemu-img(1)',
    'overwrites the image that it creates or converts to',
    'f= F= b= o= O= c p q S= u s= l= d= a= m= W t= T= n',
    images,
  ),
  row(
    'mkisofs genisoimage xorriso mksquashfs cloop mkimage grub-mkrescue',
    'genisoimage(1), mksquashfs(1)',
    'overwrites the image',
    'o,output= outdev= r R J V= comp= b= c= no-emul-boot noappend e A= O= T= C= d= n= a=',
    output('o outdev'),
    (use) => (use.verb === 'mksquashfs' ? operand(1, 'write-in-place', { follows: true })(use) : undefined),
  ),
  row(
    'losetup mount umount swapon swapoff fstrim partprobe blkid eject udisksctl',
    'mount(8)',
    'nothing',
    't= o= a r w v f n l',
  ),
];
