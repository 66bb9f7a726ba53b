// How a run ended, for a person: the line that tools parse when all is well, the truth step by step when it is not.
import { vacatedHeading } from '../messages/problems.ts';
import { unreachable } from '../../base/assert.ts';
import { plural } from '../../base/text/words.ts';
import { SO_ALREADY, type RunStatus } from '../../model/outcome/event.ts';
import type { RunResult, StepOutcome, StepResult } from '../../model/outcome/result.ts';
import { diagnosticLines } from './diagnostics.ts';
import { briefly, listLines, page, titled, type PageOptions } from './page.ts';
import { countWords, elapsedText, operationWords } from '../messages/events.ts';
import { upkeepSentence } from '../messages/upkeep.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

/** What a reader must know first. */
const SECTIONS: readonly (readonly [title: string, outcomes: readonly StepOutcome[]])[] = [
  ['Failed', ['failed']],
  ['Unknown (may or may not have happened)', ['unknown']],
  ['Still running when the wait ended', ['timed_out', 'running']],
  ['Held back by a guard', ['blocked']],
  ['Not attempted', ['skipped', 'not_started', 'pending']],
];
const BRIEF_LIST = 20;

/** The end of an apply as text that ends in a line feed. */
export function renderResult(result: RunResult, options: PageOptions): string {
  const section = (title: string, steps: readonly StepResult[]): string[] =>
    titled(
      `${title} (${steps.length})`,
      briefly(steps, (step) => stepLines(step, options.width), options, BRIEF_LIST),
      options,
    );
  return page([
    options.verbose ? section('Done', result.steps.filter(isDone)) : [],
    ...SECTIONS.map(([title, outcomes]) =>
      section(
        title,
        result.steps.filter((step) => outcomes.includes(step.outcome)),
      ),
    ),
    upkeepLines(result, options),
    options.diagnostics === false ? [] : diagnosticLines(result.diagnostics, options),
    atRiskLines(result, options),
    vacatedLines(result, options),
    endLines(result, options),
  ]);
}

/** What was kept up needs no word more than its line had; what was not does. */
function upkeepLines({ upkeep }: RunResult, options: PageOptions): string[] {
  const shownOnes = options.verbose ? upkeep : upkeep.filter(({ outcome }) => outcome === 'failed');
  const lines = listLines(shownOnes.map(upkeepSentence), options, BRIEF_LIST);
  return titled('Upkeep', lines, options);
}

function isDone(step: StepResult): boolean {
  return step.outcome === 'done' || step.outcome === 'satisfied';
}

function stepLines(step: StepResult, width: number): string[] {
  const id = step.resourceId === null ? '' : `  ${nameText(step.resourceId, 80)}`;
  const elapsed = step.elapsedMs === null ? '' : `  after ${elapsedText(step.elapsedMs)}`;
  const isPlain = step.message === null || step.message === SO_ALREADY;
  const satisfied = step.outcome === 'satisfied' ? `  (${isPlain ? 'was so already' : 'not needed'})` : '';
  const indent = '      ';
  return [
    ...wrap(`${nameText(step.address)}  ${step.action}${id}${elapsed}${satisfied}`, {
      width,
      indent: '  ',
      hanging: '          ',
    }),
    ...(step.message === null ? [] : wrap(sentence(step.message), { width, indent })),
    ...(step.hint === undefined ? [] : wrap(`hint: ${sentence(step.hint)}`, { width, indent })),
    ...(isDone(step)
      ? []
      : operationsUnsaid(step).flatMap((operation) => wrap(operationWords(operation), { width, indent }))),
  ];
}

/** The operations that the step's own message does not name. */
function operationsUnsaid({ operations, message }: StepResult): StepResult['operations'] {
  return operations.filter(({ id }) => message?.includes(id) !== true);
}

function atRiskLines(result: RunResult, { color, width }: HumanOptions): string[] {
  return result.secretsAtRisk.flatMap(({ address, id, command }) => [
    ...wrap(
      `${nameText(address)}: its secret could be neither stored nor revoked. Revoke id ${shown(id, 80)} at once: run trueup apply again in this folder${command === undefined ? ', or do it by hand.' : ', or'}`,
      { width },
    ).map(styleOf(color).error),
    // For a shell: never wrapped.
    ...(command === undefined ? [] : [`  ${shown(command, 500)}`]),
  ]);
}

/** What a reader must not miss, however the run ended. */
function vacatedLines({ vacated }: RunResult, options: HumanOptions): string[] {
  const [first] = vacated;
  if (first === undefined) return [];
  const texts = vacated.map(({ diagnostic }) => `! ${shown(diagnostic.message, 400)}`);
  const hint = vacated.flatMap(({ diagnostic }) => diagnostic.hint ?? [])[0];
  return [
    `${vacatedHeading(first.diagnostic.code)} (${vacated.length}):`,
    ...listLines(texts, options, Infinity, '    '),
    ...(hint === undefined ? [] : wrap(sentence(hint), { width: options.width, indent: '    ' })),
  ].map(styleOf(options.color).error);
}

/** `Apply complete! …` for a converged run only; else what it came to and what to run next. */
function endLines(result: RunResult, options: PageOptions): string[] {
  const { color, width, isAlone = false } = options;
  const style = styleOf(color);
  const { counts, status } = result;
  const resources = `${counts.added} added, ${counts.changed} changed, ${counts.destroyed} destroyed.`;
  if (status === 'converged') return [style.good(style.strong(`Apply complete! Resources: ${resources}`))];
  return [
    ...wrap(`Apply ${ENDINGS[status]}: ${countWords(counts)}. Resources so far: ${resources}`, { width }).map(
      style.strong,
    ),
    ...wrap(nextStep(status, result, isAlone), { width }),
    ...(status === 'blocked' && isAlone ? listLines(waysOut(result), options, WAYS) : []),
  ];
}

function troubled({ steps, diagnostics }: RunResult): boolean {
  return (
    diagnostics.some(({ severity, code }) => severity === 'error' && code !== 'unread' && code !== 'unplanned') ||
    !steps.every(isDone)
  );
}

const ENDINGS: Readonly<Record<Exclude<RunStatus, 'converged'>, string>> = {
  incomplete: 'incomplete',
  stale: 'stopped (the live state no longer matches the plan)',
  blocked: 'held back by a guard',
  interrupted: 'interrupted',
  error: 'failed',
};

const WAYS = 5;

/** What lifts each block, by address; of what only waits for another one, nothing. */
function waysOut({ diagnostics }: RunResult): string[] {
  return diagnostics.flatMap(({ code, address, message, hint }) =>
    code !== 'blocked' || address === undefined || hint === undefined || message.includes('(dependency)')
      ? []
      : [`${nameText(address)}: ${sentence(hint)}`],
  );
}

function nextStep(status: Exclude<RunStatus, 'converged'>, result: RunResult, isAlone: boolean): string {
  const running = result.steps.filter((step) => step.outcome === 'timed_out' || step.outcome === 'running').length;
  const waits =
    running > 0
      ? ` ${plural(running, 'step')} may still finish at the service: trueup operations --running shows them.`
      : '';
  switch (status) {
    case 'incomplete':
      if (result.diagnostics.some(({ code }) => code === 'not_listed'))
        return `Next: look again with trueup plan, and run trueup apply only for what is missing then.${waits}`;
      if (result.steps.every(isDone) && result.diagnostics.some(({ code }) => code === 'unplanned'))
        return 'Next: mend what keeps the rest from being planned, as trueup plan says, and run trueup apply again.';
      if (!troubled(result) && result.diagnostics.some(({ code }) => code === 'unread'))
        return 'Next: run trueup apply again; trueup drift shows what still cannot be read.';
      if (!troubled(result) && result.upkeep.some(({ outcome }) => outcome === 'failed'))
        return 'Next: see to what Upkeep says stands in the way, then run trueup apply again.';
      return `Next: run trueup apply again; it reads the live state and does only what is left.${waits}`;
    case 'interrupted':
      return `Next: run trueup apply again; it reads the live state and does only what is left.${waits}`;
    case 'stale':
      return `Next: run trueup plan again and review what changed meanwhile.${waits}`;
    case 'blocked':
      return `Next: lift what ${isAlone ? 'blocks' : 'the plan names as blocking'}, then run trueup apply again.${waits}`;
    case 'error':
      return `Next: correct the error above and run trueup apply again.${waits}`;
    default:
      return unreachable(status);
  }
}
