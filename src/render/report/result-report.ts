// Makes the report of an apply: first the work that is not done and why, then the outcome and the next commands.
import { plural } from '../../base/text/words.ts';
import { SO_ALREADY, type RunStatus } from '../../model/outcome/event.ts';
import type { RunResult, StepOutcome, StepResult } from '../../model/outcome/result.ts';
import { countWords, elapsedText, operationWords, UPKEEP_TITLE, upkeepSentence } from '../messages/events.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { item, line, reportOf, section, type Item, type Line, type Report, type Section } from './report.ts';

const SECTIONS: readonly (readonly [title: string, outcomes: readonly StepOutcome[]])[] = [
  ['Failed', ['failed']],
  ['Unknown (may or may not have happened)', ['unknown']],
  ['Still running when the wait ended', ['timed_out', 'running']],
  ['Blocked', ['blocked']],
  ['Not attempted', ['skipped', 'not_started', 'pending']],
  ['Done', ['done', 'satisfied']],
];

/** With `isAlone`, no plan was shown before, so this report also explains how to lift blocks. */
export function resultReport(result: RunResult, isAlone: boolean = false): Report {
  const { counts, status, planHash, requests, seconds } = result;
  return reportOf('apply', line(verdictOf(result), { tone: status === 'converged' ? 'good' : 'plain' }), {
    context: planHash.split(' ').map((hash) => ['Hash', shown(hash, 100)]),
    sections: [
      ...SECTIONS.map(([title, outcomes]) => stepSection(title, outcomes, result)),
      upkeepSection(result, 'failed'),
      upkeepSection(result, 'done'),
      section('Resources', { items: resourceItems(result), isDetail: true }),
    ],
    diagnostics: result.diagnostics,
    warning: [...atRiskItems(result), ...vacatedItems(result)],
    figures: [
      ['added', counts.added],
      ['changed', counts.changed],
      ['destroyed', counts.destroyed],
      ['unchanged', counts.satisfied],
      ['failed', counts.failed],
      ['unknown', counts.unknown],
      ['still running', counts.timedOut],
      ['not attempted', counts.skipped + counts.notStarted],
      ['blocked', counts.blocked],
      ['requests', requests],
      ['in all', elapsedText(seconds * 1000)],
    ],
    steps: result.steps,
    next: status === 'converged' ? [] : nextLines(status, result, isAlone),
  });
}

function stepSection(title: string, outcomes: readonly StepOutcome[], { steps }: RunResult): Section {
  const items = steps.filter(({ outcome }) => outcomes.includes(outcome)).map(stepItem);
  return sectionOf(`${title} (${items.length})`, items, outcomes.includes('done'));
}

function sectionOf(title: string, items: readonly Item[], isDone: boolean): Section {
  return section(title, { items, isDetail: isDone, tone: isDone ? 'plain' : 'bad' });
}

function isDone({ outcome }: StepResult): boolean {
  return outcome === 'done' || outcome === 'satisfied';
}

function stepItem(step: StepResult): Item {
  const { address, action, resourceId, elapsedMs, outcome, message, hint, operations } = step;
  const isPlain = message === null || message === SO_ALREADY;
  const text = [
    `${action}${elapsedMs === null ? '' : ` after ${elapsedText(elapsedMs)}`}`,
    outcome === 'satisfied' ? (isPlain ? '(unchanged)' : '(not needed)') : '',
    resourceId === null ? '' : ` ${nameText(resourceId, 80)}`,
  ];
  // Lists the operations of an unfinished step that its message does not name.
  const unsaid = isDone(step) ? [] : operations.filter(({ id }) => message?.includes(id) !== true);
  return item(text.filter((part) => part !== '').join(' '), address, [
    ...(message === null ? [] : [sentence(message)]),
    ...(hint === undefined ? [] : [`hint: ${sentence(hint)}`]),
    ...unsaid.map(operationWords),
  ]);
}

function upkeepSection({ upkeep }: RunResult, wanted: 'done' | 'failed'): Section {
  const items = upkeep.filter(({ outcome }) => outcome === wanted).map((one) => item(upkeepSentence(one)));
  return wanted === 'done' ? sectionOf(`${UPKEEP_TITLE} (done)`, items, true) : sectionOf(UPKEEP_TITLE, items, false);
}

function resourceItems({ resources }: RunResult): Item[] {
  return Object.entries(resources).map(([address, { id, columns, pinned }]) => {
    const facts = Object.entries(columns).flatMap(([name, value]) =>
      value === null ? [] : [`${name.replaceAll('_', ' ')} ${shown(value)}`],
    );
    return item([shown(id), pinned ? '' : '(not pinned)', ...facts].filter((part) => part !== '').join(' '), address);
  });
}

function atRiskItems({ secretsAtRisk }: RunResult): Item[] {
  return secretsAtRisk.map(({ address, id, command }) =>
    item(
      `the new secret could be neither stored nor revoked. Revoke id ${shown(id, 80)} at once: run trueup apply again in this folder${command === undefined ? ', or revoke that id by hand.' : ', or'}`,
      address,
      command === undefined ? [] : [shown(command, 500)],
      true,
    ),
  );
}

function vacatedItems({ vacated }: RunResult): Item[] {
  return vacated.map(({ diagnostic: { code, message, hint } }) => {
    const lost = code.replace(/^without_/, 'without a ').replaceAll('_', ' ');
    return item(`Left ${lost}: ${shown(message, 400)}`, null, hint === undefined ? [] : [sentence(hint)]);
  });
}

function verdictOf({ status, counts }: RunResult): string {
  const resources = `${counts.added} added, ${counts.changed} changed, ${counts.destroyed} destroyed.`;
  return status === 'converged'
    ? `Apply complete! Resources: ${resources}`
    : `Apply ${ENDINGS[status]}: ${countWords(counts)}. Resources so far: ${resources}`;
}

const ENDINGS: Readonly<Record<Exclude<RunStatus, 'converged'>, string>> = {
  incomplete: 'incomplete',
  stale: 'stopped (the live state no longer matches the plan)',
  blocked: 'blocked by a guard',
  interrupted: 'interrupted',
  error: 'failed',
};

function nextLines(status: Exclude<RunStatus, 'converged'>, result: RunResult, isAlone: boolean): Line[] {
  const ways = status === 'blocked' && isAlone ? waysOut(result) : [];
  return [line(nextStep(status, result, isAlone)), ...ways.map((way) => line(`  ${way}`))];
}

const MOST_WAYS = 5;

function waysOut({ diagnostics }: RunResult): string[] {
  const ways = diagnostics.flatMap(({ code, address, message, hint }) =>
    code !== 'blocked' || address === undefined || hint === undefined || message.includes('(dependency)')
      ? []
      : [`${nameText(address)}: ${sentence(hint)}`],
  );
  const rest = ways.length - MOST_WAYS;
  return rest > 0 ? [...ways.slice(0, MOST_WAYS), `… and ${rest} more`] : ways;
}

function nextStep(status: Exclude<RunStatus, 'converged'>, result: RunResult, isAlone: boolean): string {
  const running = result.steps.filter((step) => step.outcome === 'timed_out' || step.outcome === 'running').length;
  const waits = `${plural(running, 'step')} may still finish at the service: trueup operations --running shows them.`;
  const words = {
    incomplete: nextIfIncomplete(result),
    interrupted: GO_ON,
    stale: 'run trueup plan again and review what changed meanwhile.',
    blocked: `lift the blocks${isAlone ? '' : ' that the plan names'}, then run trueup apply again.`,
    error: 'correct the error above and run trueup apply again.',
  };
  return `Next: ${words[status]}${running === 0 ? '' : ` ${waits}`}`;
}

const GO_ON = 'run trueup apply again; it reads the live state and does only what is left.';

function nextIfIncomplete({ steps, upkeep, diagnostics }: RunResult): string {
  const isSaid = (code: string): boolean => diagnostics.some((one) => one.code === code);
  if (isSaid('not_listed') || steps.some(({ action, outcome }) => action === 'create' && outcome === 'unknown'))
    return 'wait some minutes, then run trueup plan. If the plan creates the resource again, check with trueup list --tree, or with trueup keys for a key, that the resource does not exist before you apply.';
  if (!steps.every(isDone)) return GO_ON;
  if (isSaid('unplanned') || isSaid('unread'))
    return "fix what the messages above name, or leave out that project (--exclude 'PROJECT/**'), then run trueup apply again.";
  return upkeep.some(({ outcome }) => outcome === 'failed')
    ? `fix what "${UPKEEP_TITLE}" names, then run trueup apply again.`
    : GO_ON;
}
