import type { Bytes } from '../../platform/bytes.ts';
import type { Printer } from '../output/table.ts';

const rows = (values: readonly Bytes[]) => ({
  text: values.map((value) => `${value}\n`).join(''),
  status: 'ok' as const,
});

/** `string SUBCOMMAND` of fish, where no option, pattern or length is involved that would need all of its rules. */
export const string: Printer = ({ args, input }) => {
  const [command, ...rest] = args;
  const plain = rest[0] === '--' ? rest.slice(1) : rest;
  if (plain.some((arg) => /^-./.test(arg) && command !== 'join')) return undefined;
  const piped = input === undefined ? [] : input.replace(/\n$/, '').split('\n');
  const values = (given: readonly Bytes[]): readonly Bytes[] | undefined =>
    given.length > 0 ? given : input === undefined ? undefined : piped;
  const map = (change: (value: Bytes) => Bytes): ReturnType<Printer> => {
    const all = values(plain);
    return all && rows(all.map(change));
  };
  switch (command) {
    case 'lower':
      return map((value) => value.replace(/[A-Z]/g, (char) => char.toLowerCase()));
    case 'upper':
      return map((value) => value.replace(/[a-z]/g, (char) => char.toUpperCase()));
    case 'trim':
      return map((value) => value.replace(/^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g, ''));
    case 'join': {
      const all = values(plain.slice(1));
      return all && plain[0] !== undefined ? rows([all.join(plain[0])]) : undefined;
    }
    case 'split': {
      const [separator, ...given] = plain;
      const all = values(given);
      return all && separator ? rows(all.flatMap((value) => value.split(separator))) : undefined;
    }
    case 'replace': {
      const [from, to, ...given] = plain;
      const all = values(given);
      return all && from && to !== undefined ? rows(all.map((value) => value.replace(from, () => to))) : undefined;
    }
    default:
      return undefined;
  }
};
