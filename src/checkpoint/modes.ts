/** What git's trees call entries that are no regular files (git-fast-import(1), filemodify). */
export const GITLINK = '160000';
export const LINK = '120000';
/** The same of an index's entry, which has it as a number. */
export const GITLINK_MODE = 0o160000;
