/** What one program is told secretly. A program is known by any word of a command, so that it is found behind `sudo` and `env`. */
export interface SecretWays {
  /** Only where one of these words was said before it. */
  readonly said?: readonly string[];
  /** Options whose next word is one, and those that it may be grown onto. */
  readonly next?: readonly string[];
  readonly grown?: readonly string[];
  /** Options whose next word names one: `-b session=x`. */
  readonly pair?: readonly string[];
  /** Every `NAME=x` is one. */
  readonly assigned?: true;
  /** A word of it may be `USER:x@HOST`. */
  readonly host?: true;
  /** From which operand on all are: `wpa_passphrase NETWORK x`. */
  readonly operands?: number;
  /** It reads one on its standard input: always, or where one of these words is given. */
  readonly input?: true | readonly string[];
}

const P: SecretWays = { next: ['-p'] };
const GROWN_P: SecretWays = { grown: ['-p'] };
const UPPER_P: SecretWays = { next: ['-P'], grown: ['-P'] };
const W: SecretWays = { next: ['-w'] };
const HOST: SecretWays = { host: true };
const RDP: SecretWays = { grown: ['/p:', '/gp:', '/pth:'] };
const SNMP: SecretWays = { next: ['-A', '-X'] };
const READS: SecretWays = { input: true };
const LOGIN: SecretWays = { next: ['-p', '-P'], grown: ['-p'], input: true };
const STORES: SecretWays = {
  said: ['set', 'put', 'create', 'add', 'insert', 'import'],
  next: ['-b', '--body', '--value'],
  assigned: true,
  input: true,
};

/** By the name of a program or, the last ones, of what any program is asked to do. */
const WAYS: Readonly<Record<string, readonly SecretWays[]>> = {
  sshpass: [{ next: ['-p'], grown: ['-p'] }],
  mysql: [GROWN_P],
  mysqldump: [GROWN_P],
  mysqladmin: [GROWN_P, { next: ['password'] }],
  mariadb: [GROWN_P],
  mongo: [P],
  mongosh: [P],
  mongodump: [P],
  mongorestore: [P],
  cqlsh: [P],
  beeline: [P],
  sqlcmd: [UPPER_P],
  bcp: [UPPER_P],
  tsql: [UPPER_P],
  'redis-cli': [{ next: ['-a'] }],
  twine: [P],
  ncftp: [P],
  ncftpget: [P],
  ncftpput: [P],
  rdesktop: [P],
  useradd: [P],
  usermod: [P],
  ipmitool: [UPPER_P],
  mosquitto_pub: [UPPER_P],
  mosquitto_sub: [UPPER_P],
  zip: [UPPER_P],
  unzip: [UPPER_P],
  '7z': [GROWN_P],
  '7za': [GROWN_P],
  rar: [{ grown: ['-p', '-hp'] }],
  unrar: [GROWN_P],
  'ssh-keygen': [{ next: ['-N', '-P'] }],
  openssl: [
    { next: ['-k', '-K'], input: ['stdin', '-stdin'] },
    { said: ['passwd'], operands: 2 },
  ],
  curl: [{ next: ['--oauth2-bearer'], pair: ['-b', '--cookie'], host: true }],
  wget: [HOST],
  ssh: [HOST],
  autossh: [HOST],
  scp: [HOST],
  sftp: [HOST],
  sshfs: [HOST],
  rsync: [HOST],
  mosh: [HOST],
  ftp: [HOST],
  lftp: [HOST],
  xfreerdp: [RDP],
  xfreerdp3: [RDP],
  wlfreerdp: [RDP],
  wlfreerdp3: [RDP],
  'sdl-freerdp': [RDP],
  'sdl-freerdp3': [RDP],
  ldapsearch: [W],
  ldapmodify: [W],
  ldapadd: [W],
  ldappasswd: [{ next: ['-w', '-s', '-a'] }],
  security: [W],
  snmpget: [SNMP],
  snmpwalk: [SNMP],
  snmpset: [SNMP],
  aws: [{ said: ['put-parameter'], next: ['--value'] }],
  pulumi: [{ said: ['--secret'], operands: 4 }],
  nmcli: [{ next: ['password'] }],
  iwconfig: [{ next: ['key'] }],
  rclone: [{ said: ['obscure'], operands: 2, input: true }],
  wpa_passphrase: [{ operands: 2, input: true }],
  net: [{ said: ['user'], operands: 3 }],
  cf: [{ said: ['auth'], operands: 3 }],
  sudo: [{ input: ['-S', '--stdin'] }],
  su: [READS],
  doas: [READS],
  chpasswd: [READS],
  passwd: [READS],
  smbpasswd: [READS],
  vncpasswd: [READS],
  newusers: [READS],
  cryptsetup: [READS],
  kinit: [READS],
  age: [{ input: ['-p', '--passphrase'] }],
  pass: [{ said: ['insert'], input: true }],
  zfs: [{ said: ['load-key'], input: true }],
  wg: [READS],
  htpasswd: [{ input: ['-i'] }],
  vercel: [{ said: ['env'], input: true }],
  'secret-tool': [READS],
  'systemd-creds': [READS],
  'ansible-vault': [READS],
  vault: [{ said: ['put', 'write', 'patch'], assigned: true }],
  login: [LOGIN],
  secret: [STORES, { pair: ['--from-literal'] }],
  secrets: [STORES],
};

/** What is known of a word of a command as the name of a program, or of what it does. */
export const secretWays = (name: string): readonly SecretWays[] =>
  Object.hasOwn(WAYS, name) ? (WAYS[name] ?? []) : [];
