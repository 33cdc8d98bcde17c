import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt } from '../../platform/files.ts';

/** Programs that open what was closed. */
const OPENERS = new Set(['chmod', 'setfacl', 'install']);

/**
 * Folders of one's own that their modes keep one from reading. A line cannot remove what lies in them either, unless it opens them itself
 * (`chmod -R u+rwX x; rm -rf x`): then they are opened while they are held, and closed again before it runs.
 */
export class ClosedFolders {
  readonly #may: boolean;
  readonly #opened: { readonly path: Bytes; readonly mode: number }[] = [];

  constructor(verbs: readonly Bytes[]) {
    this.#may = verbs.some((verb) => OPENERS.has(verb));
  }

  /** Whether the folder is open now and was not before. */
  open(path: Bytes): boolean {
    const look = this.#may ? lookAt(path) : undefined;
    if (look?.type !== 'folder' || look.uid !== process.getuid?.() || (look.mode & 0o500) === 0o500) return false;
    fs.chmodSync(toBuffer(path), look.mode | 0o500);
    this.#opened.push({ path, mode: look.mode });
    return true;
  }

  /** All of them, whatever one of them says; then what it said. */
  close(): void {
    const failed: unknown[] = [];
    for (const { path, mode } of this.#opened.splice(0).reverse()) {
      try {
        fs.chmodSync(toBuffer(path), mode);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') failed.push(error); // somebody else has removed it meanwhile
      }
    }
    if (failed.length > 0) throw failed[0];
  }
}
