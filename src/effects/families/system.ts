import { type Clause, output, type Row, textOfArg, type Use } from '../row.ts';
import { OUT, row } from './brief.ts';

const said =
  (text: string): Clause =>
  (use) =>
    use.out.remark(text);

/** `ccache gcc …`: the command behind it. */
function compilerCache(use: Use): void {
  const rest = use.call.argv.slice(1);
  const first = rest[0];
  if (first?.kind === 'known' && !first.text.startsWith('-')) use.call.run(rest);
}

/** Services, networks, users, viewers: what they change is no file of a project. */
export const system: readonly Row[] = [
  row(
    'systemctl service launchctl rc-service sv supervisorctl initctl reboot shutdown poweroff halt init telinit',
    'systemctl(1)',
    'nothing of files: services and the machine’s state',
    '',
  ),
  row(
    'iptables ip6tables nft ufw firewall-cmd sysctl modprobe insmod rmmod hwclock ntpdate ethtool brctl iw iwconfig nmcli tc setterm loadkeys setxkbmap',
    'iptables(8), sysctl(8)',
    'nothing of files: the kernel’s state',
    '',
  ),
  row(
    'passwd chsh chfn chage useradd usermod adduser addgroup groupadd groupmod groupdel gpasswd update-alternatives dpkg-reconfigure localedef locale-gen update-grub update-initramfs',
    'useradd(8)',
    'the system’s own files, which are not saved',
    '',
    said('the system’s own files: they are not saved'),
  ),
  row('rustup ghcup sdk', 'each manual', 'tool chains, which it fetches again', ''),
  row(
    'nvm fnm volta',
    'each manual',
    'what the command of `exec` or `run` loses; tool chains, which it fetches again',
    'using=',
    (use) => {
      const [sub, ...argv] = use.call.argv.slice(1);
      if (!/^(exec|run)$/.test(textOfArg(sub) ?? '')) return;
      const at = argv.findIndex((arg) => !/^(-.*|v?\d[\d.]*|lts.*|node)$/.test(textOfArg(arg) ?? ''));
      if (at >= 0) use.call.run(argv.slice(at));
    },
  ),
  row(
    'nmap mtr speedtest iperf iperf3 ngrok cloudflared ssh-copy-id gpg-connect-agent pinentry',
    'nmap(1), mtr(8)',
    'nothing',
    '',
  ),
  row(
    'open xdg-mime say afplay aplay paplay espeak mpv vlc mplayer feh eog evince zathura okular sxiv glances btm dust duf sar dmidecode lastb lshw inxi neofetch fastfetch screenfetch objdump otool c++filt addr2line gcov gprof',
    'xdg-open(1), objdump(1)',
    'nothing: they show',
    '',
  ),
  row(
    'mypy pyright pylint flake8 pycodestyle pydocstyle bandit vulture radon',
    'each manual',
    'nothing: they look',
    '',
  ),
  row('tcpdump tshark dumpcap', 'tcpdump(8)', OUT, 'w= i= r= c= s= C= G= W= F= n v X A e q t', output('w')),
  row('tree', 'tree(1)', OUT, 'o= L= P= I= a d f l x', output('o')),
  row('ccache sccache distcc icecc', 'ccache(1)', 'what the compiler behind it loses', '', compilerCache),
  row(
    'docker-compose podman-compose',
    'docker-compose(1)',
    'nothing here: containers and their volumes are elsewhere',
    '',
    said('runs in a container: nothing of this machine to save'),
  ),
];
