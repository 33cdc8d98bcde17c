import { wirings } from '../../agents/wiring/agents.ts';
import { CannotMerge } from '../../agents/wiring/installed.ts';
import type { Place, Wiring } from '../../agents/wiring/wiring.ts';
import { lookThrough } from '../../platform/files.ts';
import { homeFolder, workingFolder } from '../../platform/home.ts';
import { belayCommand, stateInProject, stateOf } from '../agent.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';

/** Agents that are used here (their folder is there) and that belay is not told of, or not trusted by. */
export function checkAgents({ env, install }: Patient): readonly Finding[] {
  const home = homeFolder(env);
  if (home === undefined) return [];
  const place: Place = { home, env, belay: belayCommand(install) };
  return wirings
    .filter((wiring) => lookThrough(wiring.folder(place))?.type === 'folder')
    .map((wiring) => lookAtAgent(wiring, place));
}

function lookAtAgent(wiring: Wiring, place: Place): Finding {
  const { name, title } = wiring;
  const mend = `belay agent install ${name}`;
  try {
    const { state, trusted } = stateOf(wiring, place, wiring.pieces(place) ?? []);
    if (state === 'not installed' && stateInProject(wiring, place, workingFolder()) === 'installed')
      return fine(name, `${title} tells belay before its tools write, in this project`);
    if (state === 'not installed') return note(name, `${title} is used here, and its tools run without belay`, mend);
    if (state === 'partly') return wrong(name, `${title} tells belay only some of what it does`, mend);
    if (trusted === false) return wrong(name, `${title} does not trust belay's hooks yet`, wiring.nextStep ?? mend);
    return fine(name, `${title} tells belay before its tools write`);
  } catch (error) {
    if (error instanceof CannotMerge) return wrong(name, `${title}: ${error.message}`, `mend that file, then ${mend}`);
    throw error;
  }
}
