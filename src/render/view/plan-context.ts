// What a plan is for, and made from: the first lines of what people read before they consent.
import type { Plan } from '../../model/outcome/plan.ts';
import { shown } from '../text/escape.ts';

/** What the plan itself does not know. */
export interface PlanContext {
  /** Where the embedded control plane keeps its data, if it is another folder than the usual one. */
  readonly local: string | null;
  readonly orgId: string | null;
  /** As they were named. */
  readonly files: readonly string[];
  readonly overlays: readonly string[];
}

const MOST_FILES = 6;

/** Account, files and hash, each with its label. */
export function contextRows(
  { baseUrl, store, planHash }: Plan,
  { local, orgId, files, overlays }: PlanContext,
): readonly (readonly [label: string, text: string])[] {
  const embedded = `the embedded control plane${local === null ? '' : ` in ${shown(local, 200)}`}`;
  const account = store === undefined ? shown(baseUrl, 300) : embedded;
  const on = overlays.length === 0 ? '' : `, with ${named(overlays)} on top`;
  return [
    ['Account', `${account}${orgId === null ? '' : `, organization ${shown(orgId, 100)}`}`],
    ...(files.length === 0 ? [] : [['Files', `${named(files)}${on}`] as const]),
    ['Hash', shown(planHash, 100)],
  ];
}

function named(files: readonly string[]): string {
  const names = files.slice(0, MOST_FILES).map((file) => (file === '-' ? 'standard input' : shown(file, 200)));
  return [...names, ...(files.length > MOST_FILES ? [`${files.length - MOST_FILES} more`] : [])].join(', ');
}
