import type { Plan } from '../effects/types.ts';
import { type Bytes, isText, toBuffer, toText } from '../platform/bytes.ts';

/** A path as UTF-8; the bytes beside it where they are not UTF-8. */
const named = (path: Bytes): { path: string; path_bytes?: string } =>
  isText(path) ? { path: toText(path) } : { path: toText(path), path_bytes: toBuffer(path).toString('base64') };

/** The document of `belay explain --json`. */
export function explainJson(plan: Plan): Record<string, unknown> {
  return {
    destructive: plan.destructive,
    parsed: plan.parsed,
    effects: plan.effects.map((effect) => ({
      verb: toText(effect.verb),
      ...named(effect.path),
      way: effect.way,
      certainty: effect.certainty,
      destructive: effect.destructive,
      ...(effect.deferred ? { deferred: true } : {}),
      ...(effect.note === undefined ? {} : { note: toText(effect.note) }),
    })),
    dirs: plan.dirs.map(toText),
    projects: plan.projects.map((project) => ({ root: toText(project.root), scope: project.scope })),
    captures: plan.captures.map((capture) => ({
      folder: toText(capture.folder),
      why: capture.why,
      verb: toText(capture.verb),
    })),
    held: plan.targets.length,
    verbs: plan.verbs.map(toText),
    unknown_programs: plan.unknownPrograms.map(toText),
    remarks: plan.remarks.map((remark) => toText(remark)),
  };
}
