import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, makeFolder, namesInOrNone, removeFile } from '../platform/files.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import { stateOf } from '../platform/processes.ts';
import { sign, signerOf, sleep } from '../platform/signed.ts';
import { type Store, StoreError } from './store.ts';

/**
 * Writers put objects into the store before a ref names them, and a collection takes away what no ref names. So a writer says that it
 * is at it (`writing/<pid>-<x>`), and a collection shuts the gate (`writing/shut`) and waits until nobody is inside. Both say it first
 * and look after, so that one of two at once sees the other.
 */
const folderOf = (store: Store): Bytes => join(store.base, 'writing');
const SHUT = 'shut';

/** What is left by a process of another namespace that died is minded for so long, ms. */
const OLDEST_MS = 3_600_000;

/**
 * Says that this process writes, until the answer is called. Waits up to `wait` ms where the store is being collected; undefined when
 * that was not enough.
 */
export function enter(store: Store, wait: number): (() => void) | undefined {
  const folder = folderOf(store);
  makeFolder(folder);
  const mine = join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}`);
  const until = Date.now() + wait;
  for (;;) {
    signWhole(mine);
    if (!isAlive(join(folder, SHUT))) return () => removeFile(mine);
    removeFile(mine);
    const left = until - Date.now();
    if (left <= 0) return undefined;
    sleep(Math.min(20, left));
  }
}

/**
 * `act` inside the gate. Throws where a collection takes longer than `wait` ms: one that found nobody at work takes away what is new, too.
 * What was to be written then stays where it is (a turn stays pending).
 */
export function writing<T>(store: Store, act: () => T, wait = 60_000): T {
  const leave = enter(store, wait);
  if (leave === undefined) throw new StoreError('busy', 'the store is being tidied up: nothing was written');
  try {
    return act();
  } finally {
    leave();
  }
}

/**
 * Shuts the gate for as long as `act` takes. It is told whether everybody else was out: only then everything that no ref names is
 * nobody's. Gives up waiting after `wait` ms.
 */
export function shut<T>(store: Store, wait: number, act: (quiet: boolean) => T): T {
  const folder = folderOf(store);
  makeFolder(folder);
  const gate = join(folder, SHUT);
  try {
    signWhole(gate);
    const until = Date.now() + wait;
    while (isBusy(folder) && Date.now() < until) sleep(20);
    return act(!isBusy(folder));
  } finally {
    removeFile(gate);
  }
}

/** Under its name only once it says who: what a process killed on the way leaves would be somebody who cannot be seen, for an hour. */
function signWhole(path: Bytes): void {
  const aside = join(dirname(path), `.${basename(path)}-${process.pid}-${Math.random().toString(36).slice(2)}`);
  sign(aside);
  fs.renameSync(toBuffer(aside), toBuffer(path));
}

const isAside = (name: Bytes): boolean => name.startsWith('.');

function isBusy(folder: Bytes): boolean {
  let busy = false;
  for (const name of namesInOrNone(folder)) {
    if (name === SHUT) continue;
    const path = join(folder, name);
    if (!isAlive(path)) removeFile(path);
    else if (!isAside(name)) busy = true;
  }
  return busy;
}

function isAlive(path: Bytes): boolean {
  const look = lookAt(path);
  if (look === undefined) return false;
  const old = Date.now() - Number(BigInt(look.mtime) / 1_000_000n) > OLDEST_MS;
  const holder = signerOf(path);
  if (holder === undefined) return !old && lookAt(path) !== undefined;
  const state = stateOf(holder);
  return state === 'alive' || (state === 'foreign' && !old);
}

/** Whether another process is inside the gate. */
export const isOtherWriting = (store: Store): boolean =>
  namesInOrNone(folderOf(store)).some(
    (name) =>
      name !== SHUT && !isAside(name) && !name.startsWith(`${process.pid}-`) && isAlive(join(folderOf(store), name)),
  );

/** Whether somebody writes or collects whose process cannot be seen from here. */
export const writesFarAway = (store: Store): boolean =>
  namesInOrNone(folderOf(store))
    .filter((name) => !isAside(name))
    .map((name) => join(folderOf(store), name))
    .some((path) => {
      const holder = signerOf(path);
      return isAlive(path) && (holder === undefined || stateOf(holder) === 'foreign');
    });
