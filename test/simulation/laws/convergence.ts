// I10: a run that says it has converged has.
import type { RunRecord } from '../world/run.ts';
import { differences } from './end-state.ts';
import { wasResetLate } from './passwords.ts';
import type { Story } from './story.ts';

/** Held against the truth of this moment: to be asked right after the run. */
export function falseConvergence(story: Story, record: RunRecord): readonly string[] {
  const { leniency } = story;
  const { result, desired } = record;
  if (result?.status !== 'converged' || desired === null || leniency.serverLies || leniency.othersWrite) return [];
  // A saved plan answers for what its steps make or change.
  const makers = record.plan?.steps.filter(({ achieves }) => achieves !== null) ?? [];
  const steps = new Set(makers.map(({ address }) => address));
  // A place that cannot be read is said to be so, and proves nothing of what belongs there.
  const broken = [...record.diagnostics, ...result.diagnostics].filter(({ code }) => code === 'sink_broken');
  const found = differences(story, desired, record, (address) => !record.isSaved || steps.has(address));
  const late = desired.resources.filter((resource) => wasResetLate(story, resource)).map(({ address }) => address);
  // By a wrong date a lease is begun for longer: nothing tells before the next plan.
  const isDated = (words: string): boolean => leniency.wrongDates && words.includes(': ttl_seconds is ');
  const isLate = (words: string): boolean =>
    words.endsWith('does not open') && late.some((address) => words.startsWith(`${address}:`));
  return unreported(story, record, found)
    .filter((words) => !isDated(words) && !isLate(words))
    .filter((words) => !words.includes('left over') && !broken.some(({ address }) => words.startsWith(`${address}:`)))
    .map((words) => `run ${record.run} says converged, but ${words}`);
}

/** Without its journal a run cannot tell what a crash left of a key: what it says of it instead of mending it is left out. */
export function unreported({ leniency, runs }: Story, run: RunRecord, all: readonly string[]): readonly string[] {
  const isTold = runs.some(
    ({ result }) => result?.diagnostics.some(({ code }) => code === 'sink_not_reverted') === true,
  );
  // A program that does not tell what it holds keeps the value of a key that was only pretended to be made; that was said.
  const isKept = (words: string): boolean => /^api_keys\/.*(?:not live|different keys)/.test(words);
  const found = leniency.pretends && isTold ? all.filter((words) => !isKept(words)) : all;
  if (!leniency.journalLost) return found;
  const told = JSON.stringify([
    run.plan?.changes,
    run.plan?.unmanaged,
    reviews(run).map(({ diagnostics }) => diagnostics),
  ]);
  return found.filter((words) => {
    if (!words.startsWith('api_keys/')) return true;
    const leftOver = /key (\d+) was made/.exec(words)?.[1];
    return !told.includes(leftOver ?? 'secret_missing');
  });
}

/** The run, and those whose plans it carries out. */
function reviews(run: RunRecord): readonly RunRecord[] {
  return run.reviewed === null ? [run] : [run, ...reviews(run.reviewed)];
}
