import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { configFolder } from '../platform/config.ts';
import { codeOf, lookAt, makeFolder, namesInOrNone, readBytesIfAny, writeAtomic } from '../platform/files.ts';
import { environment, foreignHome } from '../platform/home.ts';
import { join } from '../platform/paths.ts';
import { baseHome, isProfileName, profileHome, profileOf } from '../platform/profile.ts';
import { confirm } from './ask.ts';
import { type Answer, type Call, type Command, failed, notThere, refused, wrongUsage } from './command.ts';
import { didYouMean } from './nearest.ts';
import { purgeProfile, whyNotPurged } from './purge.ts';

const PARTS = ['list', 'create', 'delete'] as const;

/** `belay profile list|create|delete`. */
export const profile: Command = {
  summary: 'stores, sessions and settings apart: list, create, delete',
  usage: ['belay profile [list]', 'belay profile create NAME', 'belay profile delete NAME', 'belay -p NAME COMMAND …'],
  help: `
A profile has its own checkpoints, sessions, install states and config.yaml, in profiles/NAME of belay's folder. \`belay -p NAME COMMAND\`
works in it, and so does all that is started where BELAY_PROFILE is NAME: \`belay -p work run -- claude\`, or export BELAY_PROFILE=work
before the line that loads belay. What one profile has saved, another one does not see.

  create   takes the present config.yaml or config.json over
  delete   with all that it has saved; asks`,
  words: 2,
  run: (call) => {
    const [part = 'list', name] = call.words;
    const env = environment();
    const base = baseHome(env);
    if (base === undefined) throw failed('no_home', 'neither BELAY_HOME nor HOME says where profiles are kept');
    const current = profileOf(env) ?? 'default';
    if (part === 'list') {
      if (name !== undefined) throw wrongUsage(`'${toText(name)}' is one word too many`);
      return listed(base, current);
    }
    if (part !== 'create' && part !== 'delete')
      throw wrongUsage(`there is no 'belay profile ${toText(part)}'${didYouMean(toText(part), PARTS)}`);
    if (name === undefined || !isProfileName(name) || name === 'default')
      throw wrongUsage('a profile is called by up to 64 letters, digits, - and _, and not default');
    return part === 'create' ? created(base, name, configFolder(env)) : deleted(call, base, name, current);
  },
};

function listed(base: Bytes, current: Bytes): Answer {
  const names = namesInOrNone(join(base, 'profiles')).filter(
    (name) => isProfileName(name) && lookAt(profileHome(base, name))?.type === 'folder',
  );
  const all = ['default', ...names.sort()];
  return {
    json: {
      profiles: all.map((name) => ({
        name: toText(name),
        folder: toText(name === 'default' ? base : profileHome(base, name)),
        current: name === current,
      })),
    },
    text: all.map((name) => `${name === current ? '*' : ' '} ${toText(name)}\n`).join(''),
  };
}

function created(base: Bytes, name: Bytes, from: Bytes | undefined): Answer {
  const why = foreignHome(base);
  if (why !== undefined) throw refused('store_not_ours', why);
  const home = profileHome(base, name);
  makeFolder(join(base, 'profiles'));
  try {
    fs.mkdirSync(toBuffer(home), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw refused('profile_there', `there is a profile ${toText(name)} already`);
  }
  for (const file of from === undefined ? [] : ['config.yaml', 'config.json']) {
    const text = readBytesIfAny(join(from ?? '', file));
    if (text !== undefined) writeAtomic(join(home, file), text);
  }
  const json = { profile: toText(name), folder: toText(home) };
  return {
    json,
    text: `${json.folder}\nbelay -p ${json.profile} COMMAND works in it; so does BELAY_PROFILE=${json.profile}.\n`,
  };
}

async function deleted(call: Call, base: Bytes, name: Bytes, current: Bytes): Promise<Answer> {
  const home = profileHome(base, name);
  if (lookAt(home)?.type !== 'folder')
    throw notThere('no_profile', `there is no profile ${toText(name)}`, '`belay profile` lists them.');
  if (name === current)
    throw refused('profile_in_use', `this is profile ${toText(name)}`, 'Delete it from another one.');
  await confirm(call, `Delete profile ${toText(name)} with all that it has saved?`);
  const why = whyNotPurged(home);
  if (why !== undefined && namesInOrNone(home).some((entry) => !/^config\.(?:yaml|json)$/.test(entry)))
    throw refused('not_ours', `${toText(home)}: ${why}`);
  const left = purgeProfile(home).left.map(toText);
  return {
    json: { deleted: toText(name), left },
    text:
      left.length === 0
        ? `Profile ${toText(name)} is deleted.\n`
        : `Deleted, but for what is not belay's: ${left.join(', ')}\n`,
    exit: left.length === 0 ? 0 : 1,
  };
}
