import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { wiringOf } from '../../src/agents/wiring/agents.ts';
import { checkAgents } from '../../src/cli/doctor/agents.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { checkLog } from '../../src/cli/doctor/past.ts';
import type { Patient } from '../../src/cli/doctor/patient.ts';
import { checkPrograms } from '../../src/cli/doctor/programs.ts';
import { checkSettings } from '../../src/cli/doctor/settings.ts';
import { checkShell } from '../../src/cli/doctor/shell.ts';
import { checkStartUp, newShells, newShellsText, startUpFiles } from '../../src/cli/doctor/start-up.ts';
import { checkFolders } from '../../src/cli/doctor/store.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { belayHome } from '../../src/platform/home.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-doctor-')));
const isRoot = process.getuid?.() === 0;

let count = 0;

/** A person with a home of their own. */
function given(env: Record<string, string | undefined> = {}, more: Partial<Patient> = {}): Patient & { home: string } {
  const home = join(top, `home${count++}`);
  fs.mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  const whole = { HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), PATH: process.env['PATH'] ?? '', ...env };
  const entries = Object.entries(whole).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    env: new Map(entries.map(([name, value]) => [fromText(name), fromText(value)])),
    install: root,
    atTerminal: true,
    parent: 'bash',
    ancestors: [7, 6, 5],
    home,
    ...more,
  };
}

const of = (check: string, found: readonly Finding[]): Finding[] => found.filter((one) => one.check === check);

/** Exactly one finding of that check, wrong, that says this and names a way to mend it. */
function assertWrong(found: readonly Finding[], check: string, text: RegExp): void {
  const bad = of(check, found).filter((one) => one.level === 'wrong');
  assert.equal(bad.length, 1, JSON.stringify(found));
  assert.match(bad[0]?.text ?? '', text);
  assert.ok((bad[0] as { mend: string }).mend.length > 0);
}

const folders = (patient: Patient): readonly Finding[] => checkFolders(patient, belayHome(patient.env));

function config(home: string, text: string): void {
  fs.mkdirSync(join(home, '.config/belay'), { recursive: true });
  fs.writeFileSync(join(home, '.config/belay/config.yaml'), text);
}

const doctor = suite('belay doctor');
doctor.after(() => fs.rmSync(top, { recursive: true, force: true }));

doctor('is content with a fresh home', async () => {
  const patient = given();
  const found = [...folders(patient), ...(await checkSettings(patient))];
  assert.deepEqual(
    found.filter(({ level }) => level !== 'fine'),
    [],
  );
});

doctor('names an unset HOME', () => {
  const found = folders(given({ HOME: undefined }));
  assertWrong(found, 'home', /HOME is not set/);
  assertWrong(found, 'store', /nothing can be saved/);
});

doctor('where belay-snap is not compiled, it says what mends that: install.sh alone keeps what is built', () => {
  const install = join(top, 'not-compiled');
  fs.mkdirSync(join(install, 'dist'), { recursive: true });
  const found = checkPrograms(given({}, { install: fromText(install) }));
  const [bare] = found.filter(({ text }) => text.startsWith('not compiled'));
  assert.match(
    bare !== undefined && 'mend' in bare ? (bare.mend ?? '') : '',
    /rm -r node_modules dist, then \.\/install\.sh/,
  );
});

doctor('names a store that is a file', () => {
  const patient = given();
  fs.mkdirSync(join(patient.home, '.local/share'), { recursive: true });
  fs.writeFileSync(join(patient.home, '.local/share/belay'), '');
  assertWrong(folders(patient), 'store', /is a file, not a folder/);
});

if (isRoot) {
  doctor('names a store that belongs to somebody else', () => {
    const patient = given();
    const store = join(patient.home, '.local/share/belay');
    fs.mkdirSync(store, { recursive: true });
    fs.chownSync(store, 12_345, 12_345);
    assertWrong(folders(patient), 'store', /belongs to user 12345/);
  });

  doctor('names a store that is full, and one that is read-only', () => {
    const patient = given();
    const store = join(patient.home, '.local/share/belay');
    fs.mkdirSync(store, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'none', store]);
    if (mounted.status !== 0) return console.log('skipped: this machine lets nobody mount');
    try {
      const fill = fs.openSync(join(store, 'fill'), 'w');
      assert.throws(() => {
        for (;;) fs.writeSync(fill, Buffer.alloc(4096));
      }, /ENOSPC/);
      fs.closeSync(fill);
      assertWrong(folders(patient), 'store', /cannot be written \(ENOSPC\)/);
      spawnSync('mount', ['-o', 'remount,ro', store]);
      assertWrong(folders(patient), 'store', /cannot be written \(EROFS\)/);
    } finally {
      spawnSync('umount', [store]);
    }
  });

  doctor('names a runtime folder that somebody else owns', () => {
    const patient = given();
    fs.mkdirSync(join(patient.home, 'run/belay'));
    fs.chownSync(join(patient.home, 'run/belay'), 12_345, 12_345);
    assertWrong(folders(patient), 'runtime', /not a folder that only you can write/);
  });
} else {
  doctor('names a store that may not be written', () => {
    const patient = given();
    const store = join(patient.home, '.local/share/belay');
    fs.mkdirSync(store, { recursive: true, mode: 0o500 });
    assertWrong(folders(patient), 'store', /cannot be written \(EACCES\)/);
  });
}

doctor('names a runtime folder that is a link', () => {
  const patient = given();
  fs.symlinkSync(top, join(patient.home, 'run/belay'));
  assertWrong(folders(patient), 'runtime', /not a folder that only you can write/);
});

doctor('names an error of the configuration with its line', async () => {
  const patient = given();
  config(patient.home, 'checkpoints:\n  enabled: true\n  max_files: many\n');
  assertWrong(
    await checkSettings(patient),
    'configuration',
    /config\.yaml:3: checkpoints\.max_files: expected a number/,
  );
  config(patient.home, 'checkpoints:\n  enable: true\n');
  assertWrong(await checkSettings(patient), 'configuration', /config\.yaml:2: checkpoints\.enable: no such setting/);
  config(patient.home, 'checkpoints:\n  - [\n');
  assertWrong(await checkSettings(patient), 'configuration', /\(\d+:\d+\)/);
});

doctor('reads the configuration where XDG_CONFIG_HOME says, as install.sh does', async () => {
  const folder = join(top, 'xdg');
  fs.mkdirSync(join(folder, 'belay'), { recursive: true });
  fs.writeFileSync(join(folder, 'belay/config.yaml'), 'checkpoints: { enabled: false }\n');
  assertWrong(await checkSettings(given({ XDG_CONFIG_HOME: folder })), 'enabled', /xdg\/belay\/config\.yaml/);
});

doctor('names whatever switches belay off', async () => {
  const patient = given();
  config(patient.home, 'checkpoints: { enabled: false }\n');
  assertWrong(await checkSettings(patient), 'enabled', /enabled: false/);
  assertWrong(checkShell(given({ BELAY_DISABLE: '1' })), 'this shell', /BELAY_DISABLE is set/);
});

doctor('after belay off there is one finding, and it is mended by belay on', () => {
  const found = checkShell(given({ BELAY_LOADED: 'bash:7', BELAY_DISABLE: '1' }));
  assert.deepEqual(
    found.map((one) => [one.check, one.level, 'mend' in one ? one.mend : '']),
    [['this shell', 'wrong', 'belay on']],
  );
});

doctor('gives the line of the shell that asks, by the whole path where PATH does not lead to belay', () => {
  const [found] = checkShell(given({ PATH: '/usr/bin:/bin' }, { parent: 'fish' }));
  assert.equal(found && 'mend' in found ? found.mend : '', `${root}/bin/belay init fish | source`);
  const [known] = checkShell(given({ PATH: `${root}/bin:/usr/bin:/bin` }, { parent: 'zsh' }));
  assert.equal(known && 'mend' in known ? known.mend : '', 'eval "$(belay init zsh)"');
});

/** A home whose bash has this in its start-up files; nothing of the machine's own is read there but /etc. */
function withBash(files: Record<string, string>): Patient & { home: string } {
  const patient = given({ SHELL: '/bin/bash' }, { parent: 'node' });
  const line = `eval "$('${root}/bin/belay' init bash)"\n`;
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(join(patient.home, name), text.replace('LINE', line));
  return patient;
}

const ofBash = async (patient: Patient): Promise<readonly (readonly string[])[]> =>
  (await checkStartUp(patient))
    .filter(({ text }) => /bash/.test(text))
    .map((one) => [one.level, 'mend' in one ? (one.mend ?? '').replace(/: .*/, '') : '']);

doctor(
  'starts every shell to see whether new ones are protected: a login bash does not read .bashrc by itself',
  async () => {
    const { home } = withBash({});
    const login = 'add to HOME/.bash_profile';
    for (const [files, expected] of [
      [{}, [['wrong', 'add to HOME/.bashrc']]],
      [
        { '.bashrc': 'LINE' },
        [
          ['fine', ''],
          ['wrong', login],
        ],
      ],
      [{ '.bashrc': 'LINE', '.profile': '. ~/.bashrc\n' }, [['fine', '']]],
      [
        { '.bashrc': 'LINE', '.bash_login': 'a=b\n', '.profile': '. ~/.bashrc\n' },
        [
          ['fine', ''],
          ['wrong', 'add to HOME/.bash_login'],
        ],
      ],
      [
        { '.bashrc': 'return\nLINE', '.profile': '. ~/.bashrc\n' },
        [['wrong', 'put the line further up in HOME/.bashrc; `bash -ic true` shows errors']],
      ],
    ] as const) {
      const patient = withBash(files);
      const seen = (await ofBash(patient)).map((row) => row.map((cell) => cell.replaceAll(patient.home, 'HOME')));
      assert.deepEqual(seen, expected, JSON.stringify(files));
    }
    assert.ok(!fs.existsSync(join(home, 'run/belay')), 'the shells that were asked leave no marks');
  },
);

doctor('after an installation only what was seen is said', async () => {
  const whole = withBash({ '.bashrc': 'LINE', '.bash_profile': '. ~/.bashrc\n' });
  const only = { ...whole, env: new Map([...whole.env, [fromText('PATH'), fromText(bashOnly())]]) };
  assert.equal(
    newShellsText(await newShells(only)),
    'Protection is on in every bash that starts from now on, login shells (ssh, tmux) too.\n',
  );
  fs.writeFileSync(join(whole.home, '.bash_profile'), '');
  assert.match(
    newShellsText(await newShells(only)),
    /^Protection is not on everywhere:\n {2}a login bash .*\n {4}→ add to /,
  );
});

/** A PATH in which bash is the only shell to look at. */
function bashOnly(): string {
  const folder = join(top, `only${count++}`);
  fs.mkdirSync(folder);
  for (const name of ['bash', 'sh', 'cat', 'mkdir', 'readlink', 'date'])
    fs.symlinkSync(
      spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(),
      join(folder, name),
    );
  return folder;
}

doctor('names a shell that has not loaded belay, and says why', () => {
  const patient = given();
  assertWrong(checkShell(patient), 'this shell', /bash has not loaded belay/);
  fs.writeFileSync(join(patient.home, '.bashrc'), 'eval "$(\'/o p/bin/belay\' init bash)"\n');
  const found = checkShell(patient);
  assertWrong(found, 'this shell', /started before .*\.bashrc had the line/);
  assert.ok(startUpFiles(patient).some(({ shell, present }) => shell === 'bash' && present));
});

doctor('sees that belay is loaded in this shell', () => {
  const levelOf = (loaded: string): string | undefined =>
    of('this shell', checkShell(given({ BELAY_LOADED: loaded })))[0]?.level;
  assert.equal(levelOf('bash:7'), 'fine');
  assert.equal(levelOf('bash:6'), 'fine', 'from a subshell');
  assert.equal(levelOf('bash:5'), 'wrong', 'inherited by a child that has not loaded it');
  const patient = given({ BELAY_SESSION: '20250101_000000_abcdef' });
  fs.mkdirSync(join(patient.home, 'run/belay/20250101_000000_abcdef'), { recursive: true, mode: 0o700 });
  assert.equal(of('this shell', checkShell(patient))[0]?.level, 'fine');
});

doctor('names a hook that something else took, and a remembered place past the wrappers', () => {
  const loaded = checkShell(given({ BELAY_LOADED: 'bash:7:PS0 hash=rm hash=git ' }));
  assertWrong(loaded, 'hooks', /something else took PS0:/);
  assertWrong(checkShell(given({ BELAY_LOADED: 'bash:7:promptvars ' })), 'hooks', /promptvars is off/);
  const fixed = checkShell(given({ BELAY_LOADED: 'bash:7:readonly=BELAY_TURN ' }));
  assertWrong(fixed, 'this shell', /nothing is saved here: readonly=BELAY_TURN keeps/);
  assert.equal(of('hooks', fixed).length, 0);
  assertWrong(loaded, 'hash table', /bash remembers where rm, git was/);
  assert.deepEqual(
    checkShell(given({ BELAY_LOADED: 'bash:7:' })).filter(({ level }) => level === 'wrong'),
    [],
  );
});

doctor('names a folder that comes before the wrappers in PATH', () => {
  const install = join(top, 'install');
  const before = join(top, 'before');
  for (const folder of [join(install, 'shims/bin'), before]) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, 'rm'), '#!/bin/sh\n', { mode: 0o755 });
  }
  const shims = join(install, 'shims/bin');
  assertWrong(checkShell(given({ PATH: `${before}:${shims}` }, { install })), 'wrappers', /before comes before/);
  assert.equal(of('wrappers', checkShell(given({ PATH: `${shims}:${before}` }, { install })))[0]?.level, 'fine');
});

doctor('names a BASH_ENV of somebody else', () => {
  const shims = join(root, 'shims/bin');
  const taken = given({ BASH_ENV: '/etc/other', PATH: `${shims}:/usr/bin:/bin` });
  assertWrong(checkShell(taken), 'BASH_ENV', /taken by \/etc\/other/);
});

doctor('names agents that are used here and do not tell belay, or do not trust it; others it leaves out', () => {
  assert.deepEqual(checkAgents(given()), []);
  const patient = given();
  const put = (name: string, text: string): void => {
    fs.mkdirSync(join(patient.home, name, '..'), { recursive: true });
    fs.writeFileSync(join(patient.home, name), text);
  };
  put('.claude/settings.json', '{}');
  put('.hermes/config.yaml', 'hooks:\n  pre_tool_call:\n    - command: /opt/belay/bin/belay hook hermes\n');
  put('.gemini/settings.json', '{ broken');
  const found = checkAgents(patient);
  assert.deepEqual(
    found.map(({ check, level }) => [check, level]),
    [
      ['claude', 'note'],
      ['gemini', 'wrong'],
      ['hermes', 'wrong'],
    ],
  );
  assertWrong(found, 'hermes', /only some of what it does/);
  assertWrong(found, 'gemini', /settings\.json/);
});

doctor(
  'names an agent that has the hook and does not trust it, with what mends it, until its own settings say that it does',
  () => {
    const patient = given();
    const folder = join(patient.home, '.codex');
    const look = () => checkAgents(patient).find(({ check }) => check === 'codex');
    const put = (name: string, text: string): void => fs.writeFileSync(join(folder, name), text);
    fs.mkdirSync(folder, { recursive: true });
    const wiring = wiringOf('codex');
    const place = { home: patient.home, env: patient.env, belay: '/opt/belay/bin/belay' };
    const [piece] = wiring?.pieces(place) ?? [];
    if (piece?.kind !== 'json') throw new Error('Codex has no file of hooks');
    // Somebody else's hook stands before ours.
    const hooks = Object.entries(piece.events).map(([name, group]) => [
      name,
      [{ hooks: [{ command: 'notify' }] }, group],
    ]);
    put('hooks.json', JSON.stringify({ hooks: Object.fromEntries(hooks) }));
    const table = (group: number, more = '') =>
      `model = "x"\n\n[hooks.state]\n[hooks.state."${join(folder, 'hooks.json')}:pre_tool_use:${group}:0"]\n${more}trusted_hash = "sha256:00"\n`;
    for (const settings of ['', table(0), table(1, 'enabled = false\n'), `# ${table(1).replaceAll('\n', '\n# ')}`]) {
      put('config.toml', settings);
      assertWrong([look() as Finding], 'codex', /does not trust/);
      assert.match((look() as { mend?: string }).mend ?? '', /type \/hooks in Codex/);
    }
    put('config.toml', `${table(1)}\n[other]\nenabled = false\n`);
    assert.equal(look()?.level, 'fine');
  },
);

doctor('shows the last errors of the log', () => {
  const { home } = given();
  fs.mkdirSync(join(home, 'logs'));
  const line = (age: number, text: string): string => `${new Date(Date.now() - age).toISOString()} 1 ${text}\n`;
  fs.writeFileSync(join(home, 'logs/belay.log'), line(9e8, 'long ago') + line(1000, 'just now'));
  const [found] = checkLog(home, Date.now());
  assert.match(found?.text ?? '', /one error .*\n.*just now/);
  assert.doesNotMatch(found?.text ?? '', /long ago/);
});

doctor.run();
