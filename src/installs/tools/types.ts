import type { Bytes } from '../../platform/bytes.ts';

/** Where the tools of a person keep their things. */
export interface ToolHome {
  readonly home: Bytes;
  readonly env: ReadonlyMap<Bytes, Bytes>;
}

/** What a tool keeps for one checkout. */
export interface Kept {
  /** A folder, or a file. */
  readonly path: Bytes;
  /** As the tool wrote it down. */
  readonly checkout: Bytes;
}

/** A program that keeps something for each checkout, by its path, and writes that path down. */
export interface Tool {
  readonly name: string;
  /** A file that names the process of a living server; relative to what is kept. */
  readonly pid?: Bytes;
  find(where: ToolHome): Kept[];
}
