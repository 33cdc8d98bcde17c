import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { ingestAll } from '../../src/sessions/index/ingest.ts';
import { withIndex } from '../../src/sessions/index/open.ts';
import { readQuestion } from '../../src/sessions/index/question.ts';
import { sessionRows } from '../../src/sessions/index/rows.ts';
import { search } from '../../src/sessions/index/search.ts';
import { openDatabase } from '../../src/sessions/index/sqlite.ts';
import { type Figure, figure, type Row } from '../measure.ts';
import { top } from '../place.ts';

const WORDS =
  'git status commit push rm build src test make node index cargo python docker run grep deploy config'.split(' ');

/** The events of a journal, half of which are lines that are searched. */
const EVENTS = 50;

/**
 * The index of sessions beside bare FTS5 with the same lines: 100,000 sessions are meant; `sessions` of them are made, and the row says so.
 */
export async function sessionIndex(sessions: number, rounds: number): Promise<readonly Row[]> {
  const home = join(top, 'sessions-home');
  fs.rmSync(home, { recursive: true, force: true });
  fs.mkdirSync(join(home, 'sessions'), { recursive: true });
  const lines: string[] = [];
  for (let i = 0; i < sessions; i++) fs.writeFileSync(join(home, 'sessions', `${name(i)}.jsonl`), journal(i, lines));
  const bare = openDatabase(join(top, 'bare.db'));
  bare.exec("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='unicode61')");
  const bareIngest = timed(1, () => {
    bare.exec('BEGIN');
    const insert = bare.prepare('INSERT INTO words VALUES (?)');
    for (const line of lines) insert.run(line);
    bare.exec('COMMIT');
  });
  const scale = `${sessions.toLocaleString('en')} sessions, ${(sessions * (EVENTS + 1)).toLocaleString('en')} events (1/${Math.round(100_000 / sessions)} of 100,000)`;
  return withIndex(home, new Map(), (db) => {
    const first = timed(1, () => ingestAll(db, home));
    const ask = (asked: string): Figure => {
      const question = readQuestion(asked);
      if (question.is === 'wrong') throw new Error(question.why);
      return timed(rounds, () => search(db, question, { limit: 10 }));
    };
    const beside = (asked: string): { what: string; figure: Figure } => ({
      what: 'bare FTS5, newest 10',
      figure: timed(rounds, () =>
        bare.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 10').all(asked),
      ),
    });
    return [
      {
        what: `sessions: first ingest, ${scale}`,
        figure: first,
        beside: { what: 'bare FTS5, the same lines', figure: bareIngest },
        note: `${Math.round((sessions * (EVENTS + 1)) / (first.median / 1000)).toLocaleString('en')} events/s`,
      },
      { what: 'sessions: ingest, nothing new', figure: timed(rounds, () => ingestAll(db, home)) },
      { what: 'sessions: search, a frequent word', figure: ask('git'), beside: beside('git') },
      { what: 'sessions: search, two words', figure: ask('git deploy'), beside: beside('git deploy') },
      { what: 'sessions: search, a part of a word', figure: ask('eplo') },
      { what: 'sessions: list of 20', figure: timed(rounds, () => sessionRows(db, { limit: 20 })) },
    ];
  });
}

/** What a prompt pays for its record: the functions themselves, `times` times, without the rest of the prompt. */
export function recordedLine(times: number, rounds: number): readonly Row[] {
  const folder = join(top, 'record-home');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(join(folder, 'sessions'), { recursive: true, mode: 0o700 });
  const line = 'git commit -m change && ls -la src/lib';
  const set = `BELAY_SESSION=s BELAY_TURN=1 __belay_turn=1 __belay_folder=${folder}`;
  const scripts = {
    bash: `. shims/parts/record.bash; ${set}; for ((i = 0; i < ${times}; i++)); do CALL; done`,
    zsh: `zmodload zsh/datetime; . shims/parts/record.zsh; ${set}; for ((i = 0; i < ${times}; i++)); do CALL; done`,
    fish: `source shims/parts/record.fish; set -g BELAY_SESSION f; set -g BELAY_TURN 1; set -g __belay_turn 1; set -g __belay_folder ${folder}; for i in (seq ${times}); CALL; end`,
  };
  return (Object.keys(scripts) as (keyof typeof scripts)[])
    .filter((shell) => spawnSync(shell, ['--version']).status === 0)
    .map((shell) => {
      const args = { bash: ['-c'], zsh: ['-fc'], fish: ['-N', '-c'] }[shell];
      const end = shell === 'fish' ? '__belay_record_end 0 1' : '__belay_record_end 0';
      const run = (call: string): Figure =>
        timed(rounds, () =>
          spawnSync(shell, [...args, scripts[shell].replace('CALL', call)], {
            env: { ...process.env, HOME: folder, BELAY_HOME: folder },
          }),
        );
      const [own, loop] = [run(`__belay_record '${line}' cli; ${end}`), run(shell === 'fish' ? 'true' : ':')];
      const each = ({ median, least, count }: Figure): Figure => ({
        median: median / times,
        least: least / times,
        count,
      });
      return {
        what: `recording a line and its end, ${shell}`,
        figure: each(own),
        beside: { what: 'an empty loop', figure: each(loop) },
      };
    });
}

function timed(rounds: number, work: () => unknown): Figure {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    work();
    samples.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return figure(samples);
}

const name = (i: number): string => `20250101_000000_${i.toString(16).padStart(6, '0')}`;

function journal(i: number, lines: string[]): string {
  const t = 1_700_000_000_000 + i * 1000;
  const events: object[] = [
    { e: 'session', v: 1, t, id: name(i), source: 'cli', cwd: `/p/${i % 50}`, pid: 4_000_000, start: '1' },
  ];
  for (let k = 0; k < EVENTS / 2; k++) {
    const mix = (i * 7919 + k * 104_729) >>> 0;
    const line = `${WORDS[mix % 18]} ${WORDS[(mix >> 3) % 18]}/file${mix % 5003} --option${k}`;
    lines.push(line);
    events.push(
      { e: 'command', t: t + k, turn: String(k), line, cwd: '/p' },
      { e: 'done', t: t + k, turn: String(k), exit: 0 },
    );
  }
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
