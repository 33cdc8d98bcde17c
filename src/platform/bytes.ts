/**
 * A path, a word, a command line: bytes, kept as a latin1 string (one character a byte), so that names of any
 * bytes survive and ordinary string functions work. UTF-8 only exists at the edge to people.
 */
export type Bytes = string;

export const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1');

export const fromBuffer = (buffer: Uint8Array): Bytes =>
  Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength).toString('latin1');

/** Bytes from a JavaScript (UTF-16) string, as UTF-8: for argv, configuration, literals that may hold non-ASCII. */
export const fromText = (text: string): Bytes => Buffer.from(text, 'utf8').toString('latin1');

/** The text that a person reads; bytes that are not UTF-8 become U+FFFD. */
export const toText = (bytes: Bytes): string => (isAscii(bytes) ? bytes : toBuffer(bytes).toString('utf8'));

/** Whether `toText` loses nothing. */
export const isText = (bytes: Bytes): boolean => isAscii(bytes) || fromText(toText(bytes)) === bytes;

/** Most names are: nothing has to be decoded. */
const isAscii = (bytes: Bytes): boolean => !/[^\0-\x7f]/.test(bytes);
