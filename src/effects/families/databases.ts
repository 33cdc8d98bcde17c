import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { inputText } from '../input.ts';
import { knownArg } from '../languages/deed.ts';
import { type Clause, output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { row } from './brief.ts';

const SERVER = 'the data lie in a server: no file of this line to save';

/** Statements that only read; everything else may write (sqlite.org/lang.html). */
const READS =
  /^(select|with\b(?![\s\S]*\b(insert|update|delete)\b)|explain|pragma\s+\w+\s*(\([^)]*\))?$|values|analyze\s*$|begin|commit|end|rollback|attach|detach)\b/i;
const DESTROYS = /\b(drop|delete|update|alter|replace|truncate|vacuum|reindex)\b/i;
const DOT_READS =
  /^\.(tables|schema|dump|help|mode|headers?|databases|indexes|indices|show|stats|timer|width|separator|nullvalue|quit|exit|echo|bail|print|explain|eqp|fullschema|dbinfo|lint|limit|selftest|sha3sum|prompt|changes|cd)\b/;

/** They write the file that is their last word, `.output` alone the screen again; dot commands may be shortened. */
const WRITES_FILE = /^\.(ou(t(p(ut?)?)?)?|onc?e?|ba(c(k(up?)?)?)?|sav?e?|clone?|log|ex(c(el?)?)?)$/;

/** `VACUUM INTO 'new.db'` writes a copy, which may not be there yet (sqlite.org/lang_vacuum.html). */
const VACUUM_INTO = /^vacuum\s+(?:\w+\s+)?into\s+(?:'([^']*)'|"([^"]*)")$/i;

interface Said {
  /** Databases that were attached: what is written may be theirs. */
  readonly attached: readonly Bytes[];
  readonly writes: boolean;
  readonly destroys: boolean;
}

/** One text of SQL and dot commands; commands that name files or start programs are told at once. */
function statements(use: Use, text: Bytes): Said {
  let writes = false;
  let destroys = false;
  const sql: Bytes[] = [];
  const attached: Bytes[] = [];
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (!bare.startsWith('.')) {
      sql.push(line.replace(/--.*$/, ''));
      continue;
    }
    const [command = '', ...words] = bare.split(/\s+/);
    if (WRITES_FILE.test(command)) {
      const file = words.at(-1)?.replace(/^["']|["']$/g, '');
      // "|program" is one word with its arguments.
      const piped = /^\.\w+\s+(["']?)\|(.*)\1$/.exec(bare)?.[2];
      if (piped !== undefined) use.call.script(piped);
      else if (file && !/^(off|stdout|stderr|-\w+)$/.test(file)) touch(use, file, 'write-in-place', { follows: true });
    } else if (/^\.(shell|system)$/.test(command)) use.call.script(words.join(' '));
    else if (/^\.(restore|import|read|recover)$/.test(command)) writes = destroys = true;
    else if (!DOT_READS.test(bare)) writes = true;
  }
  for (const statement of sql.join('\n').split(';')) {
    const bare = statement.trim();
    const more = /^attach\s+(?:database\s+)?(?:'([^']+)'|"([^"]+)")/i.exec(bare);
    if (more) attached.push(more[1] ?? more[2] ?? '');
    if (bare === '' || READS.test(bare)) continue;
    const copy = VACUUM_INTO.exec(bare);
    if (copy) {
      touch(use, copy[1] ?? copy[2] ?? '', 'create', { follows: true });
      continue;
    }
    writes = true;
    if (DESTROYS.test(bare)) destroys = true;
  }
  return { attached, writes, destroys };
}

/** sqlite3(1): a database file, then SQL and dot commands, else from its input. */
function sqlite(use: Use): void {
  const { words, call, out } = use;
  // Without a file the database is in memory; dot commands write all the same.
  const [database = knownArg(':memory:'), ...rest] = words.operands;
  if (words.has('readonly')) return;
  const commands = [...words.values('cmd'), ...rest];
  const input = inputText(call, out);
  const known = commands.flatMap((arg) => textOfArg(arg) ?? []);
  if (rest.length === 0 && input !== undefined) known.push(input);
  const unknown = commands.some((arg) => arg.kind === 'unknown') || (rest.length === 0 && input === undefined);
  const said = known.map((text) => statements(use, text));
  if (!unknown && !said.some(({ writes }) => writes)) return;
  const destroys = said.some((one) => one.destroys);
  if (textOfArg(database) !== ':memory:') wholeDatabase(use, database, destroys, unknown);
  for (const path of said.flatMap((one) => one.attached))
    if (path !== ':memory:') wholeDatabase(use, knownArg(path), destroys, true);
}

/** The file, and its journal or write-ahead log where there is one. */
function wholeDatabase(use: Use, database: Arg, destroys: boolean, unsure: boolean): void {
  const way = 'write-in-place';
  use.out.effect({
    verb: use.verb,
    path: database,
    way,
    follows: true,
    ...(destroys ? { blind: true } : {}),
    ...(unsure ? { certainty: 'maybe' as const } : {}),
  });
  if (database.kind !== 'known') return;
  for (const suffix of ['-wal', '-shm', '-journal']) {
    const beside = knownArg(database.text + suffix);
    if (use.out.kindOf(beside) === 'file') use.out.effect({ verb: use.verb, path: beside, way });
  }
}

const remote: Clause = (use) => use.out.remark(SERVER);

/** Databases: those in a file are held, those in a server are not on this disk as files of the line. */
export const databases: readonly Row[] = [
  {
    ...row(
      'sqlite3 sqlite',
      'sqlite3(1)',
      'writes its database file, unless it only reads',
      'readonly cmd= init= separator= nullvalue= newline= vfs= A append ascii bail batch box column csv deserialize echo header noheader html interactive json line list markdown memtrace mmap= nofollow nonce= quote safe stats table tabs zip',
      sqlite,
    ),
    grammar: { singleDash: true },
  },
  {
    ...row(
      'duckdb',
      'duckdb.org/docs/api/cli',
      'writes its database file, unless it only reads',
      'readonly c,cmd= init= csv json box s=',
      sqlite,
    ),
    grammar: { singleDash: true },
  },
  row(
    'redis-cli valkey-cli memcached-tool etcdctl consul influx clickhouse-client cqlsh rethinkdb couchdb',
    'redis-cli(1)',
    'nothing here: the data lie in a server',
    'h= p= a= n= rdb= u= o,output=',
    output('rdb o'),
    remote,
  ),
  row(
    'psql createdb dropdb createuser dropuser pg_restore reindexdb vacuumdb',
    'psql(1)',
    'the file of `-o` or `-L`; the data lie in a server',
    'c,command= d,dbname= f,file= h,host= p,port= U,username= o,output= L,log-file= v,set,variable= A t q X 1 w W F,field-separator= R= P,pset= O= E= T= l e j,jobs= n= s C a x',
    output('o'),
    output('L', 'append'),
    remote,
  ),
  row(
    'pg_dump pg_dumpall pg_basebackup',
    'pg_dump(1)',
    'overwrites the file of `-f`',
    'f,file= F,format= d,dbname= h,host= p,port= U,username= t,table= n,schema= N= T= s a C c O x v w W j,jobs= Z,compress= D,pgdata= E= S= X=',
    output('f'),
    remote,
  ),
  row(
    'mysql mariadb mysqladmin mysqlimport mycli',
    'mysql(1)',
    'the file of `--tee`; the data lie in a server',
    'e,execute= u,user= p,password? h,host= P,port= D,database= tee= S,socket= N B s t r f v default-character-set=',
    output('tee', 'append'),
    remote,
  ),
  row(
    'mysqldump mariadb-dump',
    'mysqldump(1)',
    'overwrites the file of `-r`',
    'r,result-file= T,tab= u,user= p,password? h,host= P,port= A B,databases w,where= single-transaction',
    output('r'),
    remote,
  ),
  row(
    'mongo mongosh mongodump mongorestore mongoexport mongoimport',
    'mongosh(1)',
    'the file of `-o`; the data lie in a server',
    'o,out= eval= host= port= u= p= d,db= c,collection= f= q= archive? gzip drop',
    output('o'),
    remote,
  ),
];
