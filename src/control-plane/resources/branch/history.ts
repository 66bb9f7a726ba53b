// How far back the history of a branch goes, and the names of its moments: a time, or a place in the log.
import { isoTime } from '../../../base/time/clock.ts';
import { parseInstantMs } from '../../../base/time/instant.ts';
import { Refusal, badRequest } from '../../core/refusal.ts';
import type { Engine } from '../engine/engine.ts';
import { findProject } from '../find.ts';
import type { ProjectRecord } from '../project/record.ts';
import type { BranchRecord } from './record.ts';

/** Begin of a new project's log. */
const FIRST_PLACE = 0x14ee150;
const HALF = 2 ** 32;

/** The place in a project's log that belongs to a time: the log grows with the clock, so that each follows from the other. */
export function lsnAt(project: ProjectRecord, atMs: number): string {
  const place = FIRST_PLACE + Math.max(0, Math.floor(atMs - project.createdMs));
  const hex = (part: number): string => part.toString(16).toUpperCase();
  return `${hex(Math.floor(place / HALF))}/${hex(place % HALF)}`;
}

function timeOfLsn(project: ProjectRecord, lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/');
  return project.createdMs + Number.parseInt(high, 16) * HALF + Number.parseInt(low, 16) - FIRST_PLACE;
}

/** A moment of a branch as a request names it; undefined where it names none. */
export function askedMoment(
  project: ProjectRecord,
  names: { readonly lsn: string; readonly timestamp: string },
  asked: Readonly<Record<string, unknown>>,
): number | undefined {
  const [lsn, timestamp] = [asked[names.lsn], asked[names.timestamp]];
  if (lsn !== undefined && timestamp !== undefined)
    throw badRequest(`${names.lsn} and ${names.timestamp} cannot both be given`);
  if (typeof lsn === 'string') return timeOfLsn(project, lsn);
  return typeof timestamp === 'string' ? requireTime(names.timestamp, timestamp) : undefined;
}

/** Milliseconds of a time in a request; refuses one that no calendar has. */
export function requireTime(member: string, text: string): number {
  const ms = parseInstantMs(text);
  if (ms === undefined) throw badRequest(`${member} is not a time; value:${JSON.stringify(text.slice(0, 40))}`);
  return ms;
}

/** Refuses a moment that the branch has no history of: before its beginning, out of the window, or to come. */
export function requireInHistory(engine: Engine, branch: BranchRecord, momentMs: number, atMs: number): void {
  const project = findProject(engine, branch.projectId);
  const fromMs = Math.max(branch.createdMs, atMs - project.historyRetentionSeconds * 1000);
  if (momentMs <= atMs && momentMs >= fromMs) return;
  throw new Refusal(
    engine.switches.momentStatus,
    `the branch has no history of that moment; branch_id:"${branch.id}", asked:"${isoTime(momentMs)}", ` +
      `kept from:"${isoTime(fromMs)}"`,
  );
}
