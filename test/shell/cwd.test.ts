import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import { see } from './lines.ts';
import { environment, folder, lineIn } from './real.ts';

const root = folder();

/** Lines that leave the shell in one place that can be known: the walk ends where bash ends. */
const KNOWN: readonly string[] = [
  ...[
    'cd sub',
    'cd sub; cd deep',
    'cd sub/deep; cd ..',
    'cd sub && cd ..',
    'cd nope',
    'cd nope; cd sub',
    'cd a.txt',
    'cd',
    'cd ~',
    'cd ~/..',
    'cd /',
  ],
  ...[
    'cd -- sub',
    'cd ./sub/../A',
    'cd "x y"',
    'cd x\\ y',
    'cd sub/',
    'cd /usr//bin',
    'cd ""',
    'cd .',
    'cd sub extra',
    'cd -P ln',
    'cd ln',
    'cd ln; cd ..',
    'cd ln; cd -P ..',
    'cd ln/deep; cd ../..',
  ],
  ...[
    'cd sub; cd -',
    'cd sub; cd -; cd -',
    'cd sub; cd "$OLDPWD"',
    'cd $HOME',
    'cd "$PWD/sub"',
    'd=sub; cd $d',
    'cd $(echo sub)',
    'cd `dirname sub/deep/z.txt`',
    'cd s*b',
    'cd {sub,}',
  ],
  ...[
    '(cd sub); cd A',
    '{ cd sub; }',
    'cd sub | cat',
    'cd sub &',
    '$(cd sub)',
    'f() { cd sub; }; f',
    'f() ( cd sub ); f',
    'eval cd sub',
    'eval "cd sub; cd deep"',
    'builtin cd sub',
    'command cd sub',
    '\\cd sub',
    'cd() { builtin cd A; }; cd sub',
  ],
  ...[
    'pushd sub',
    'pushd sub; pushd deep',
    'pushd sub; popd',
    'pushd sub; pushd ../A; popd',
    'pushd sub; pushd',
    'pushd sub; pushd ../A; pushd +1',
    'pushd sub; pushd ../A; pushd -0',
    'popd',
    'pushd nope; popd',
    'dirs -c; pushd sub; popd',
  ],
  ...[
    'true && cd sub',
    'false && cd sub',
    'false || cd sub',
    'true || cd sub',
    '! true || cd sub',
    'cd nope || cd sub',
    'cd nope && cd sub',
    'cd nope 2>/dev/null || cd sub && cd deep',
    'test -d sub && cd sub',
    '[ -d nope ] && cd sub',
    '[[ -d sub ]] && cd sub',
    '[[ sub == s* ]] && cd sub',
  ],
  ...[
    'if [ -d sub ]; then cd sub; else cd A; fi',
    'if cd nope; then cd A; else cd sub; fi',
    'if ! cd sub; then cd A; fi',
    'case $PWD in */belay-words-*) cd sub;; *) cd A;; esac',
    'for d in sub deep; do cd $d; done',
    'for d in nope sub; do cd $d && break; done',
    'while cd sub; do break; done',
    'until cd sub; do :; done',
    'for d in sub A; do (cd $d); done',
    'i=0; while (( i++ < 2 )); do cd s* || break; cd ..; done; cd A',
  ],
  ...[
    'CDPATH=sub; cd deep',
    'CDPATH=:sub; cd deep',
    'CDPATH=sub; cd ./deep',
    'CDPATH=/usr; cd bin',
    'CDPATH=/usr cd bin',
    'shopt -s cdable_vars; where=sub; cd where',
    'HOME=/usr; cd',
    'HOME=/usr cd',
    'cd sub; exit; cd deep',
    'f() { cd sub; return; cd deep; }; f',
    'mkdir made; cd made',
    'mkdir -p made/er && cd made/er',
    'cd /usr; cd -; cd sub',
  ],
  ...[
    'source /dev/stdin <<< "cd sub"',
    'eval "$(echo cd sub)"',
    '. <(echo cd sub)',
    'cd sub; trap "cd deep" USR1',
    'cd /usr >/dev/null',
    'cd sub >/dev/null 2>&1 && cd deep',
    'unset HOME; cd sub',
    'x=$(cd sub && pwd); cd "$x/deep"',
    'cd "${x:-sub}"',
  ],
];

const cwd = suite('cwd');
for (const text of KNOWN) {
  cwd(`ends where bash ends: ${text}`, () => {
    const input = `${text}\npwd >&9\n`;
    const wrapped = `exec 9>&1 >/dev/null 2>&1\ntrap 'pwd >&9; exit' EXIT\n${text}`;
    const real = spawnSync('bash', ['--norc', '-s'], {
      cwd: root,
      env: environment(root),
      input: wrapped,
      encoding: 'latin1',
    });
    rmSync(`${root}/made`, { recursive: true, force: true });
    const seen = see(lineIn(root, `${text}\nprobe`));
    const all = seen.calls
      .filter((call) => call.argv[0]?.kind === 'known' && call.argv[0].text === 'probe')
      .map((call) => call.cwd);
    const last = real.stdout.trimEnd().split('\n').at(-1);
    if (text.includes('exit')) return assert.equal(all.length, 0, input);
    const paths = all.map((place) => (place.kind === 'known' ? (place.logical ?? place.path) : '?'));
    assert.deepEqual(paths, [last]);
  });
}

/** Lines after which it may be in several places: all of them are named, `?` for one that cannot be known. */
const OPEN: readonly (readonly [text: string, ...places: string[]])[] = [
  ['foo && cd sub', 'sub', ''],
  ['cd "$NOBODY_KNOWS"', '', '?'],
  ['git clone x y && cd y', '', 'y'],
  ['git clone x y; cd y', '', 'y'],
  ['rm -rf sub; cd sub', '', 'sub'],
  ['if foo; then cd sub; else cd A; fi', 'sub', 'A'],
  ['cd $(foo)', '', '?'],
  ['while foo; do cd sub; done', '', '?'],
  ['[ "$X" = 1 ] && cd sub', '', 'sub'],
  ['case "$X" in a) cd sub;; b) cd A;; esac', '', 'sub', 'A'],
];

for (const [text, ...places] of OPEN) {
  cwd(`names every place where it may be: ${text}`, () => {
    const seen = see(lineIn(root, `${text}\nprobe`));
    const all = seen.calls
      .filter((call) => call.argv[0]?.kind === 'known' && call.argv[0].text === 'probe')
      .map((call) => (call.cwd.kind === 'known' ? call.cwd.path.slice(root.length + 1) : '?'));
    for (const place of places) assert.ok(all.includes(place), `${place} in ${JSON.stringify(all)}`);
    assert.ok(all.length === 1 || seen.calls.at(-1)?.certainty === 'maybe');
  });
}

cwd('knows its folder by the name it came in through, and its real one', () => {
  const [call] = see(lineIn(root, 'cd ln && rm x')).calls;
  assert.deepEqual(call?.cwd, { kind: 'known', path: `${root}/sub`, logical: `${root}/ln` });
});

cwd('knows nothing of a folder that was deleted', () => {
  const [call] = see(lineIn(root, 'rm x', { cwd: undefined })).calls;
  assert.deepEqual(call?.cwd, { kind: 'unknown' });
});

cwd.after(() => rmSync(root, { recursive: true, force: true }));
cwd.run();
