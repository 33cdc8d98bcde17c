import type { Bytes } from '../platform/bytes.ts';

/**
 * Programs and shell words that destroy nothing by themselves, whatever their arguments: they read, print, or change only
 * the shell. What a redirection does is judged apart. Blank-separated; one string, split when first asked.
 */
const NAMES = `
: . [ [[ alias bg bind break caller case cd compgen complete compopt continue declare dirs disown echo enable exit export
false fg getopts hash help jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift
shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
autoload bindkey chdir compdef emulate functions integer float limit print pushln rehash setopt unsetopt unhash unlimit vared whence where
which zle zmodload zstyle abbr and argparse begin block commandline contains count emit end fish_add_path if isatty
math not or path random realpath set_color status string while function switch
arch b2sum basename basenc cat cksum comm cut date df dir dircolors dirname du expand expr factor fmt fold groups
head hostid hostname id join logname ls md5sum nl nproc numfmt od paste pathchk pinky pr printenv readlink seq sha1sum
sha224sum sha256sum sha384sum sha512sum sleep stat stty sum sync tac tail tr tsort tty uname unexpand uptime users vdir wc who
whoami yes mktemp
grep egrep fgrep rg ag ack zgrep zegrep zfgrep xzgrep bzgrep zstdgrep zcat gzcat xzcat bzcat lzcat zstdcat lz4cat zless xzless most command-not-found
diff diff3 sdiff cmp colordiff delta icdiff wdiff file strings hexdump hd nm readelf size ldd locate plocate mlocate exa eza lsd bat batcat
fzf sk peco column look rev cal ncal bc dc jq gron xq units figlet cowsay lolcat fortune tput clear reset
ps pgrep pkill killall top htop btop free vmstat iostat mpstat lsof fuser lsblk lscpu lspci lsusb lsmod dmesg journalctl w last
lastlog finger getent info whatis apropos tldr logger wall write mesg notify-send
ping ping6 traceroute tracepath dig nslookup host whois ip ss netstat ifconfig route arp ssh-add ssh-keyscan
sha3sum xxhsum b3sum md5 shasum cksfv lsattr getfacl getfattr namei mountpoint findmnt xdg-open pbcopy pbpaste xclip xsel wl-copy wl-paste
usleep getconf locale localectl timedatectl hostnamectl loginctl dpkg-query
apt-cache pkg-config pkgconf llvm-config python-config
shellcheck hadolint yamllint cloc tokei scc
pwdx nologin pmap tload slabtop watchgnupg gpgconf lpstat lpr lp lpq acpi sensors upower xrandr xdpyinfo xprop xwininfo
getopt whereis lslocks lslogins lsmem lsns lsipc ipcs mcookie colrm col colcrt fincore lsfd lsirq findfs isosize wdctl renice
dumpe2fs filefrag e2freefrag rgrep zcmp zdiff zmore bzdiff bzmore bzcmp bzegrep bzfgrep bzless xzdiff xzmore xzcmp xzegrep xzfgrep lzmainfo
zipgrep zipinfo funzip pidof pidwait pslog prtstat peekfd pstree skill snice killall5 dnsdomainname domainname nisdomainname
infocmp tabs tset toe captoinfo infotocap pldd zdump lessecho lesspipe lessfile lexgrog manpath
ischroot dpkg-realpath apt-config corelist perldoc pod2usage podchecker piconv json_pp envsubst gettext ngettext
sensible-pager fish_key_reader md5sum.textutils which.debianutils scriptreplay ipcmk ipcrm blockdev
busctl networkctl systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-escape systemd-notify systemd-path
systemd-id128 invoke-rc.d agetty rtcwake ldattach nstat bridge routel rdma chcpu chmem sensible-browser
tzselect ul isutf8 ifdata errno combine
`;

let names: ReadonlySet<Bytes> | undefined;

export function isHarmless(program: Bytes): boolean {
  names ??= new Set(NAMES.split(/\s+/));
  return names.has(program);
}

/** For the documentation. */
export const harmlessNames = (): Bytes[] => [...new Set(NAMES.split(/\s+/))].filter((name) => name !== '').sort();
