// The context of a plan (account, files, selection): the first lines that people read before they consent.
import type { Plan, PlanOptions } from '../../model/outcome/plan.ts';
import type { ContextRow } from '../report/report.ts';
import { shown } from '../text/escape.ts';

export interface PlanContext {
  /** The folder of the embedded control plane's data, if it is not the default. */
  readonly local: string | null;
  readonly orgId: string | null;
  readonly files: readonly string[];
  readonly overlays: readonly string[];
}

const MOST_NAMED = 6;

/** Account, files, what of them is meant, and hash, each with its label. */
export function contextRows(
  { baseUrl, store, planHash, options }: Plan,
  { local, orgId, files, overlays }: PlanContext,
): readonly ContextRow[] {
  const embedded = `the local server${local === null ? '' : ` in ${shown(local, 200)}`}`;
  const account = store === undefined ? shown(baseUrl, 300) : embedded;
  const on = overlays.length === 0 ? '' : `, with the overlay ${named(overlays)}`;
  return [
    ['Account', `${account}${orgId === null ? '' : `, organization ${shown(orgId, 100)}`}`],
    ...(files.length === 0 ? [] : [['Files', `${named(files)}${on}`] as const]),
    ...selectionRows(options),
    ['Hash', shown(planHash, 100)],
  ];
}

export function selectionRows({ target, exclude }: Pick<PlanOptions, 'target' | 'exclude'>): readonly ContextRow[] {
  if (target.length === 0 && exclude.length === 0) return [];
  const meant = target.length === 0 ? 'all' : named(target);
  return [['Targets', exclude.length === 0 ? meant : `${meant} but ${named(exclude)}`]];
}

function named(texts: readonly string[]): string {
  const names = texts.slice(0, MOST_NAMED).map((text) => (text === '-' ? 'standard input' : shown(text, 200)));
  return [...names, ...(texts.length > MOST_NAMED ? [`${texts.length - MOST_NAMED} more`] : [])].join(', ');
}
