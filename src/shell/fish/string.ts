import type { Bytes } from '../../platform/bytes.ts';
import type { Printer } from '../output/table.ts';
import { patterned } from './patterns.ts';

const rows = (values: readonly Bytes[]) => ({
  text: values.map((value) => `${value}\n`).join(''),
  status: 'ok' as const,
});

/** `string SUBCOMMAND` of fish, where no option, pattern or length is involved that would need all of its rules. */
export const string: Printer = ({ args, input }) => {
  const [command, ...rest] = args;
  if (command === 'match' || command === 'replace') {
    const found = patterned(command, rest, input === undefined ? undefined : piped(input));
    return found && { ...rows(found), status: found.length > 0 ? 'ok' : 'fail' };
  }
  const plain = rest[0] === '--' ? rest.slice(1) : rest;
  if (plain.some((arg) => /^-./.test(arg) && command !== 'join')) return undefined;
  const values = (given: readonly Bytes[]): readonly Bytes[] | undefined =>
    given.length > 0 ? given : input === undefined ? undefined : piped(input);
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
    case 'collect':
      return values(plain)?.length === 1 ? map((value) => value) : undefined;
    case 'join': {
      const all = values(plain.slice(1));
      return all && plain[0] !== undefined ? rows([all.join(plain[0])]) : undefined;
    }
    case 'split': {
      const [separator, ...given] = plain;
      const all = values(given);
      return all && separator ? rows(all.flatMap((value) => value.split(separator))) : undefined;
    }
    default:
      return undefined;
  }
};

const piped = (input: Bytes): readonly Bytes[] => input.replace(/\n$/, '').split('\n');
