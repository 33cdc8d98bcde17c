import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Filter } from '../../src/sessions/index/filter.ts';
import { ingestAll } from '../../src/sessions/index/ingest.ts';
import { withIndex } from '../../src/sessions/index/open.ts';
import { readQuestion } from '../../src/sessions/index/question.ts';
import { newestEvents, sessionRows, statsOf } from '../../src/sessions/index/rows.ts';
import { search } from '../../src/sessions/index/search.ts';
import { type Database, openDatabase } from '../../src/sessions/index/sqlite.ts';
import { type Figure, figure, type Row } from '../measure.ts';
import { top } from '../place.ts';
import { RECORD_OFF } from '../prompt.ts';
import { EVENTS, LONG, makeLongSessions, makeSession, makeSessions, nameOf } from '../sessions-made.ts';

/** So many texts between two commits of the bare index. */
const CHUNK = 100_000;

/** The index of sessions beside bare FTS5 with the same texts; the promises are for 100,000 sessions of fifty events. */
export async function sessionIndex(sessions: number, rounds: number): Promise<readonly Row[]> {
  const home = join(top, 'sessions-home');
  fs.rmSync(home, { recursive: true, force: true });
  const bare = openDatabase(join(top, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = NORMAL');
  bare.exec("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='unicode61')");
  const insert = bare.prepare('INSERT INTO words VALUES (?)');
  let texts: string[] = [];
  let bareIngest = 0;
  const flush = (): void => {
    bareIngest += once(() => {
      bare.exec('BEGIN');
      for (const text of texts) insert.run(text);
      bare.exec('COMMIT');
    });
    texts = [];
  };
  makeSessions(home, sessions, (text) => {
    if (texts.push(text) === CHUNK) flush();
  });
  flush();
  const events = sessions * EVENTS;
  const scale = `${sessions.toLocaleString('en')} sessions, ${events.toLocaleString('en')} events`;
  return withIndex(home, new Map(), (db) => {
    const first = once(() => ingestAll(db, home));
    const ask = (asked: string, more = {}): Figure => searched(db, rounds, asked, more);
    const beside = (asked: string): { what: string; figure: Figure } => ({
      what: 'bare FTS5, newest 10',
      figure: timed(rounds, () =>
        bare.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 10').all(asked),
      ),
    });
    const rate = (ms: number): string =>
      `${Math.round(events / (ms / 1000)).toLocaleString('en')} events/s of one processor`;
    let extra = sessions;
    return [
      {
        what: `sessions (processor time): first ingest, ${scale}`,
        figure: figure([first]),
        beside: { what: 'bare FTS5, the same texts', figure: figure([bareIngest]) },
        note: `${rate(first)} (bare: ${rate(bareIngest)})`,
      },
      {
        what: 'sessions: ingest of one session more',
        figure: timed(rounds, () => {
          makeSession(home, extra++);
          ingestAll(db, home);
        }),
      },
      { what: 'sessions: ingest, nothing new', figure: timed(rounds, () => ingestAll(db, home)) },
      { what: 'sessions: search, a frequent word', figure: ask('git'), beside: beside('git') },
      { what: 'sessions: search, two words', figure: ask('git deploy'), beside: beside('git deploy') },
      {
        what: 'sessions: search, four words',
        figure: ask('git deploy screen picker'),
        beside: beside('git deploy screen picker'),
      },
      { what: 'sessions: search, a phrase', figure: ask('"git deploy src"'), beside: beside('"git deploy src"') },
      { what: 'sessions: search, a part of a word', figure: ask('eplo') },
      { what: 'sessions: search, the beginning of 10,000 words', figure: ask('file4*'), beside: beside('file4*') },
      { what: 'sessions: search, one letter that words begin with', figure: ask('s*'), beside: beside('s*') },
      { what: 'sessions: search, a word that is nowhere', figure: ask('zzznowhere') },
      { what: 'sessions: search, of one source', figure: ask('git', { source: 'claude' }) },
      { what: 'sessions: search, of a source that is nowhere', figure: ask('git', { source: 'cron' }) },
      { what: 'sessions: search, within one session', figure: ask('git', { session: nameOf(10) }) },
      { what: 'sessions: list of 20', figure: timed(rounds, () => sessionRows(db, { limit: 20 })) },
      {
        what: 'sessions: list, of one source',
        figure: timed(rounds, () => sessionRows(db, { limit: 20, source: 'claude' })),
      },
      {
        what: 'sessions: list, of a source that is nowhere',
        figure: timed(rounds, () => sessionRows(db, { limit: 20, source: 'cron' })),
      },
      {
        what: 'sessions: list, one folder',
        figure: timed(rounds, () => sessionRows(db, { limit: 20, cwd: '/home/you/p7' })),
      },
      { what: 'sessions: browse, the newest 50 events', figure: timed(rounds, () => newestEvents(db, { limit: 50 })) },
      { what: 'sessions: stats', figure: timed(rounds, () => statsOf(db)) },
    ];
  });
}

function searched(db: Database, rounds: number, asked: string, filter: Omit<Filter, 'limit'>): Figure {
  const question = readQuestion(asked);
  if (question.is === 'wrong') throw new Error(question.why);
  return timed(rounds, () => search(db, question, { limit: 10, ...filter }));
}

/** What most people have: few sessions, some of them long. A filter lets half of them through, which is more than is indexed anew. */
export function fewSessions(sessions: number, rounds: number): Promise<readonly Row[]> {
  const home = join(top, 'few-sessions-home');
  fs.rmSync(home, { recursive: true, force: true });
  makeLongSessions(home, sessions);
  const events = `${sessions} sessions of ${LONG} events`;
  return withIndex(home, new Map(), (db) => {
    ingestAll(db, home);
    const ask = (asked: string, more = {}): Figure => searched(db, rounds, asked, more);
    return [
      ['a frequent word', 'git'],
      ['a word that is nowhere', 'zzznowhere'],
    ].map(([what, asked = '']) => ({
      what: `sessions: search of one source, ${what}, ${events}`,
      figure: ask(asked, { source: 'claude' }),
      beside: { what: 'the same of all', figure: ask(asked) },
    }));
  });
}

/** What a prompt pays for its record: what it does `times` times beside the same without the record. */
export function recordedLine(times: number, rounds: number): readonly Row[] {
  const folder = join(top, 'record-home');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(join(folder, 'sessions'), { recursive: true, mode: 0o700 });
  const line = 'git commit -m change && ls -la src/lib';
  const scripts = {
    // Where no limit of files' sizes is in force.
    bash: `. shims/parts/record.bash; BELAY_SESSION=s BELAY_TURN=1 __belay_turn=1 __belay_folder=${folder}; OFF
      __belay_end() { __belay_find_journal && __belay_write_end 0 "$EPOCHREALTIME"; }; OFF
      for ((i = 0; i < ${times}; i++)); do __belay_record '${line}' cli; __belay_end; done`,
    zsh: `zmodload zsh/datetime; export BELAY_TURN=1; typeset -i __belay_turn=1 __belay_part=0 __belay_ended=0
      __belay_root=$PWD __belay_folder=${folder} BELAY_SESSION=z __belay_session=z __belay_on=1 __belay_pid=$$ __belay_exports=private
      emulate zsh -o extended_glob -o local_traps -c '. shims/parts/harmless.zsh; . shims/parts/record.zsh; . shims/parts/line.zsh'; __belay_lacks=; OFF
      for ((i = 0; i < ${times}; i++)); do __belay_harmless '' prompt '${line}'; __belay_precmd; done`,
    fish: `for part in line record; source shims/parts/$part.fish; end; function __belay_harmless; end; set -g __belay_root $PWD
      set -g BELAY_SESSION f; set -g __belay_session f; set -g __belay_turn 1; set -g __belay_folder ${folder}; set -g __belay_on 1
      set -g __belay_pid $fish_pid; set -e fish_private_mode; OFF
      for i in (seq ${times}); __belay_preexec '${line}'; __belay_postexec; end`,
  };
  return (Object.keys(scripts) as (keyof typeof scripts)[])
    .filter((shell) => spawnSync(shell, ['--version']).status === 0)
    .map((shell) => {
      const args = { bash: ['-c'], zsh: ['-fc'], fish: ['-N', '-c'] }[shell];
      const run = (off: string): Figure =>
        timed(rounds, () =>
          spawnSync(shell, [...args, scripts[shell].replaceAll('OFF', off)], {
            env: { ...process.env, HOME: folder, BELAY_HOME: folder },
          }),
        );
      const [own, without] = [run(''), run(RECORD_OFF[shell])];
      const each = ({ median, least, count }: Figure): Figure => ({
        median: median / times,
        least: least / times,
        count,
      });
      return {
        what: `recording a line and its end (processor time), ${shell}`,
        figure: each(own),
        beside: { what: 'the same without', figure: each(without) },
      };
    });
}

const once = (work: () => unknown): number => timed(1, work).median;

/** Time of processors, ours and that of processes that have ended: what else the machine does makes no difference. */
function timed(rounds: number, work: () => unknown): Figure {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = spent();
    work();
    samples.push(spent() - start);
  }
  return figure(samples);
}

/** Milliseconds. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  const [cutime = 0, cstime = 0] =
    fs.readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ').slice(13, 15).map(Number) ?? [];
  return (user + system) / 1000 + (cutime + cstime) * TICK_MS;
}

/** Linux tells times of children in hundredths of a second. */
const TICK_MS = 10;
