// Changes as lines of a `diff` block: the sign stands in the first column, where readers of patches look for it.
import { shown } from '../text/escape.ts';
import { restarts } from '../view/plan-rows.ts';
import type { ChangeView } from '../report/report.ts';

/** The first lines of all members, then what they have in common. */
export function diffLines(view: ChangeView): string[] {
  const { heads, rows, nested, lines } = view;
  return [
    ...heads.map((_, at) => headLine(view, at)),
    ...rows.flatMap(({ path, before, after, layer }) => [
      ...(before === '' ? [] : [`-     ${path}: ${before}`]),
      `+     ${path}: ${after}${layer === '' ? '' : `  (${layer})`}`,
    ]),
    ...nested.flatMap(({ root, lines: inner }) => [
      `      ${root}:`,
      ...inner.map(({ sign, text }) => `${sign}       ${shown(text)}`),
    ]),
    ...lines.flatMap(({ label, text, isDetail }) =>
      isDetail ? [] : [`#     ${label === '' ? '' : `${label}: `}${text}`],
    ),
  ];
}

/** `! …` for what restarts (patches paint it orange); otherwise the plan's own symbol. */
export function headLine({ group, heads }: ChangeView, at: number): string {
  const [head, change] = [heads[at], group[at]];
  if (head === undefined || change === undefined) return '';
  const { symbol, address, action, worst, what } = head;
  const blocked = change.blockedBy.length === 0 ? '' : ` (blocked: ${change.blockedBy.join(', ')})`;
  const rest = what === '' ? '' : `  ${what}`;
  return `${restarts(change) ? '!' : symbol} ${address}  ${worst === '' ? action : `${action}, ${worst}`}${blocked}${rest}`;
}
