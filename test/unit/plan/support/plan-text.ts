// A plan as compact text, for tests that read as documentation.
import type { Json } from '../../../../src/base/json.ts';
import type { Change, Plan, Step } from '../../../../src/model/outcome/plan.ts';

/** Changes without the unchanged ones, steps and diagnostics, one a line. */
export function planText(plan: Plan): string {
  const changes = plan.changes.filter(({ action, held }) => action !== 'none' || held.length > 0);
  return [
    ...changes.flatMap(changeLines),
    ...(plan.steps.length > 0 ? ['steps'] : []),
    ...plan.steps.map((step) => `  ${stepText(step)}`),
    ...plan.diagnostics.map(({ severity, code, message, range }) => {
      const place = range === undefined ? '' : ` (line ${range.start.line})`;
      return `${severity} ${code}${place}: ${message}`;
    }),
    ...plan.limitsExceeded.map(({ limit, planned, allowed }) => `exceeded ${limit}: ${planned} of ${allowed}`),
  ].join('\n');
}

function changeLines(change: Change): string[] {
  const { action, address, resourceId, impact, blockedBy, due, held } = change;
  const impacts = impact.filter((word) => word !== 'none');
  const marks = [
    ...(impacts.length > 0 ? [`[${impacts.join(' ')}]`] : []),
    ...(due ? ['due'] : []),
    ...(blockedBy.length > 0 ? [`blocked by ${blockedBy.join(', ')}`] : []),
  ];
  const head = [action, address, ...(resourceId === null ? [] : [resourceId]), ...marks].join(' ');
  const attributes = action === 'create' ? [] : change.attributes;
  return [
    head,
    ...attributes.map(
      ({ path, before, after, restarts }) => `  ${path}: ${text(before)} → ${text(after)}${restarts ? ' !' : ''}`,
    ),
    ...held.map(({ path, wanted, live }) => `  held ${path}: ${text(live)} (wanted ${text(wanted)})`),
  ];
}

function stepText({ id, method, path, body, needs }: Step): string {
  const payload = body === null ? '' : ` ${text(body)}`;
  const after = needs.length === 0 ? '' : ` after ${needs.join(', ')}`;
  return `${id} ${method} ${path}${payload}${after}`;
}

function text(value: Json): string {
  return JSON.stringify(value).replaceAll('"', '');
}

/** Template text without the indentation of its first line, without the first and last line break. */
export function dedent(lines: string): string {
  const inner = lines.replace(/^\n/, '').replace(/\n\s*$/, '');
  const indent = /^ */.exec(inner)?.[0].length ?? 0;
  return inner
    .split('\n')
    .map((line) => line.slice(indent))
    .join('\n');
}
