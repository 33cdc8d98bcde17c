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

interface Said {
  readonly writes: boolean;
  readonly destroys: boolean;
}

/** One text of SQL and dot commands; commands that name files or start programs are told at once. */
function statements(use: Use, text: Bytes): Said {
  let writes = false;
  let destroys = false;
  const sql: Bytes[] = [];
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (!bare.startsWith('.')) {
      sql.push(line.replace(/--.*$/, ''));
      continue;
    }
    const [command = '', ...words] = bare.split(/\s+/);
    const file = words.at(-1)?.replace(/^["']|["']$/g, '');
    if (
      /^\.(output|once|backup|save|clone|log|excel)$/.test(command) &&
      file &&
      !/^(off|stdout|stderr|-\w)$/.test(file)
    ) {
      if (file.startsWith('|')) use.call.script(bare.slice(bare.indexOf('|') + 1));
      else touch(use, file, 'write-in-place', { follows: true });
    } else if (/^\.(shell|system)$/.test(command)) use.call.script(words.join(' '));
    else if (/^\.(restore|import|read|recover)$/.test(command)) writes = destroys = true;
    else if (!DOT_READS.test(bare)) writes = true;
  }
  for (const statement of sql.join('\n').split(';')) {
    const bare = statement.trim();
    if (bare === '' || READS.test(bare)) continue;
    writes = true;
    if (DESTROYS.test(bare)) destroys = true;
  }
  return { writes, destroys };
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
  if (textOfArg(database) === ':memory:') return;
  if (!unknown && !said.some(({ writes }) => writes)) return;
  wholeDatabase(
    use,
    database,
    said.some(({ destroys }) => destroys),
    unknown,
  );
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
  row(
    'sqlite3 sqlite',
    'sqlite3(1)',
    'writes its database file, unless it only reads',
    'readonly cmd= init= separator= nullvalue= newline= vfs= A append ascii bail batch box column csv deserialize echo header noheader html interactive json line list markdown memtrace mmap= nofollow nonce= quote safe stats table tabs zip',
    sqlite,
  ),
  {
    ...row(
      'duckdb',
      'duckdb.org/docs/api/cli',
      'writes its database file, unless it only reads',
      'readonly c,cmd= init= csv json box s=',
      sqlite,
    ),
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
