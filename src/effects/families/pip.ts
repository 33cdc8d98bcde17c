import type { Bytes } from '../../platform/bytes.ts';
import { dirname, isAbsolute, normalize } from '../../platform/paths.ts';
import { textOfArg, type Use } from '../row.ts';

/** pip(1): `uninstall` removes what the package's record names, in the environment that is active. */
export function pip(use: Use): void {
  const { words, out, verb, call } = use;
  const action = textOfArg(use.words.operands[0]);
  const target = words.value('target');
  if (action === 'install') {
    if (target) out.effect({ verb, path: target, way: 'replace', recursive: true, follows: true, destructive: false });
    if (words.has('editable') || words.operands.slice(1).some((arg) => /^[./]/.test(textOfArg(arg) ?? '')))
      out.opaque(verb, call.cwd);
    return;
  }
  if (action === 'download' || action === 'wheel' || action === 'freeze') return;
  if (action !== 'uninstall') return;
  const site = sitePackages(use);
  if (site === undefined) {
    out.remark('packages outside a virtual environment are not followed');
    return;
  }
  for (const name of words.operands.slice(1)) {
    const text = textOfArg(name);
    if (text === undefined) out.unknown(verb, site, 'removes a package whose name is not known');
    else for (const path of recordedFiles(use, site, text)) out.effect({ verb, path, way: 'delete', recursive: true });
  }
}

/** `lib/pythonX.Y/site-packages` of `$VIRTUAL_ENV`, or of the environment whose `bin/pip` this is. */
function sitePackages(use: Use): Bytes | undefined {
  const typed = textOfArg(use.call.argv[0]) ?? '';
  const beside = /\/bin\/[^/]+$/.test(typed) ? use.out.absolute(dirname(dirname(typed))) : undefined;
  const local =
    use.out.kindOf('.venv/bin/python') === 'absent' || use.verb !== 'uv' ? undefined : use.out.absolute('.venv');
  const venv = beside ?? use.call.env('VIRTUAL_ENV') ?? local;
  if (!venv || !isAbsolute(venv)) return undefined;
  const version = use.out.namesIn(`${venv}/lib`).find((name) => /^python\d/.test(name));
  return version === undefined ? undefined : `${venv}/lib/${version}/site-packages`;
}

/** The package's own list of files (packaging.python.org, "Recording installed projects"): its top folders and files. */
function recordedFiles(use: Use, site: Bytes, name: Bytes): Bytes[] {
  const plain = (text: Bytes): Bytes => text.toLowerCase().replace(/[-_.]+/g, '-');
  const info = use.out
    .namesIn(site)
    .find((entry) => /\.(dist|egg)-info$/.test(entry) && plain(entry.replace(/-\d.*$/, '')) === plain(name));
  if (info === undefined) return [];
  const record = use.out.textOf(`${site}/${info}/RECORD`) ?? use.out.textOf(`${site}/${info}/installed-files.txt`);
  const tops = new Set<Bytes>([info]);
  for (const line of record?.split('\n') ?? []) {
    const path = (line.split(',')[0] ?? '').replace(/^"|"$/g, '');
    if (path !== '') tops.add(path.startsWith('../') ? path : (path.split('/')[0] ?? path));
  }
  return [...tops].filter((top) => top !== '__pycache__').map((top) => normalize(`${site}/${top}`));
}
