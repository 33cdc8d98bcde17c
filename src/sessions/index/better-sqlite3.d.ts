/** So much of better-sqlite3 as the index uses: it is optional, and may not be installed where this is checked. */
declare module 'better-sqlite3' {
  interface Statement {
    run(...values: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
    get(...values: readonly unknown[]): unknown;
    all(...values: readonly unknown[]): unknown[];
  }
  class Database {
    constructor(file: string, options?: { readonly nativeBinding?: string; readonly timeout?: number });
    prepare(sql: string): Statement;
    exec(sql: string): this;
    pragma(text: string, options?: { readonly simple?: boolean }): unknown;
    close(): this;
  }
  export = Database;
}
