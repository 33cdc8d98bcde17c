import type { Bytes } from '../../platform/bytes.ts';
import { dirname, join } from '../../platform/paths.ts';
import type { Arg, Place } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { type Row, textOfArg, type Use } from '../row.ts';

const NOTE =
  'local changes or untracked files of the work tree may go; which ones only the version control system knows';

/** The work tree's root, by its marker folder. */
function workTree(use: Use, marker: Bytes, folder: Arg | undefined): Bytes | undefined {
  const start = folder === undefined ? use.call.cwd : undefined;
  const path = folder === undefined ? (start?.kind === 'known' ? start.path : undefined) : use.out.absolute(folder);
  if (path === undefined) return undefined;
  for (let at = path; ; at = dirname(at)) {
    if (use.out.kindOf(join(at, marker)) !== 'absent') return at;
    if (at === '/' || !at.startsWith('/')) return undefined;
  }
}

/** What a command loses: the files that it names, else anything in the work tree. */
function loses(use: Use, marker: Bytes, files: readonly Arg[], folder?: Arg): void {
  const root = workTree(use, marker, folder);
  if (root === undefined) {
    use.out.remark('no work tree here');
    return;
  }
  if (files.length === 0) use.out.unknown(use.verb, root, NOTE);
  for (const path of files) {
    const kind = use.out.kindOf(path);
    const where = use.out.absolute(path);
    if (kind === 'folder' && where !== undefined) use.out.unknown(use.verb, where, NOTE);
    else use.out.effect({ verb: use.verb, path, way: 'replace' });
  }
}

/** hg(1), svn(1), jj(1), bzr(1), fossil(1): commands may be abbreviated. */
const LOSING: Readonly<Record<Bytes, RegExp>> = {
  hg: /^(rev(e(r(t)?)?)?|up(d(a(t(e)?)?)?)?|co|checkout|purge|clean|strip|rollback|qpop|qpush|qrefresh|rebase|histedit|unshelve|shelve|graft|backout|merge|fetch|pull|uncommit|evolve|absorb|import|transplant|remove|rm|mv|move|rename|forget)$/,
  svn: /^(revert|update|up|switch|sw|cleanup|merge|delete|del|remove|rm|move|mv|rename|ren|export|patch|resolve|resolved|relocate)$/,
  bzr: /^(revert|clean-tree|uncommit|update|up|pull|merge|switch|rm|remove|del|delete|mv|move|rename|unshelve|shelve)$/,
  fossil: /^(revert|clean|update|checkout|co|undo|redo|merge|rm|delete|mv|rename|stash)$/,
  jj: /^(restore|abandon|undo|redo|op|operation|edit|new|squash|rebase|split|checkout|move|file|workspace)$/,
};

const MARKER: Readonly<Record<Bytes, Bytes>> = {
  hg: '.hg',
  svn: '.svn',
  bzr: '.bzr',
  brz: '.bzr',
  fossil: '.fslckout',
  jj: '.jj',
};

function versionControl(use: Use): void {
  const { words, verb } = use;
  const program = verb === 'brz' ? 'bzr' : verb;
  const [first, ...files] = words.operands;
  const action = textOfArg(first) ?? '';
  const remoteOnly = program === 'svn' && files.some((arg) => /^\w+:\/\//.test(textOfArg(arg) ?? ''));
  if (words.has('dry-run', 'n') || remoteOnly || !LOSING[program]?.test(action)) return;
  const place: Place = use.call.cwd;
  if (place.kind === 'unknown') {
    use.out.unknown(verb, place, NOTE);
    return;
  }
  const named =
    /^(rev|rm$|remove|del|restore$|mv$|move$|ren|forget$|unlink$)/.test(action) &&
    !(program === 'jj' && !/^restore$/.test(action));
  if (named && program === 'hg' && words.has('all')) {
    loses(use, '.hg', [], words.value('repository'));
    return;
  }
  if (/^(mv|move|ren)/.test(action)) {
    const to = files.at(-1);
    if (to) use.out.effect({ verb, path: to, way: 'replace' });
    for (const path of files.slice(0, -1)) use.out.effect({ verb, path, way: 'move', ...(to ? { to } : {}) });
    return;
  }
  if (/^(rm|remove|del)/.test(action)) {
    for (const path of files) use.out.effect({ verb, path, way: 'delete', recursive: true });
    return;
  }
  loses(use, MARKER[verb] ?? '.hg', named ? files : [], words.value('repository'));
}

/** gh(1), glab(1): most of their commands ask a server; these fetch a branch into the work tree, or files over what is there. */
function forge(use: Use): void {
  const actions = use.words.operands.slice(0, 2).map((arg) => textOfArg(arg) ?? '?');
  if (actions.some((action) => /^(checkout|co|sync)$/.test(action))) loses(use, '.git', []);
  else if (actions.includes('download') || /^(extension|alias|codespace|\?)$/.test(actions[0] ?? ''))
    use.out.opaque(use.verb, use.call.cwd);
}

/** Version control systems other than git. */
export const repositories: readonly Row[] = [
  {
    names: 'hg svn bzr brz fossil jj',
    manual: 'hg(1), svn(1), bzr(1), fossil(1), jj(1)',
    loses: '`revert`, `update`, `purge`, `cleanup`, `clean-tree` and the like: local changes and untracked files',
    options:
      'repository,R= cwd= dry-run,n all,a C,clean r,rev,revision= m,message= force,f q,quiet v,verbose y,noninteractive remove-unversioned remove-ignored u,user= depth= ignored unknown detritus help version to= from= at-op=',
    idle: 'help version',
    does: [versionControl],
  },
  {
    names: 'gh glab tea',
    manual: 'gh(1), glab(1)',
    loses: '`pr checkout`, `repo sync`: local changes of the work tree; `release download` and extensions: opaque',
    options:
      'R,repo= force,f branch,b= detach recurse-submodules source,s= clobber dir,D= pattern,p= output,O= help,h version',
    idle: 'help version',
    does: [forge],
  },
  {
    names: 'hub',
    manual: 'hub(1)',
    loses: 'what git would, with the same words',
    options: '',
    does: [(use) => use.call.run([knownArg('git'), ...use.call.argv.slice(1)])],
  },
  {
    names: 'cvs rcs ci co sccs p4 darcs pijul',
    manual: 'cvs(1), rcs(1)',
    loses: 'files of the work tree that a command fetches anew',
    options: 'help version n',
    does: [(use) => use.out.opaque(use.verb, use.call.cwd)],
  },
];
