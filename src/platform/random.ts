/** So many random bytes, in hex. By the global `crypto`: `node:crypto` takes longer to load than a line takes to be saved. */
export const randomHex = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
