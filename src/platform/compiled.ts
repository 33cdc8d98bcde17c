/** Whether this is the compiled program: a file of its own, in which all the sources lie where no file system has them. */
export const isCompiled = (): boolean => (process.argv[1] ?? '').startsWith('/$bunfs');
