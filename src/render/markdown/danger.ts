// The dangerous steps of a plan in a pull-request comment: as a table, or as a shorter list.
import { groupBy } from '../../base/group-by.ts';
import { plural } from '../../base/text/words.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { effectsIn } from '../messages/impacts.ts';
import { code, markdownTable } from './pieces.ts';
import { scopeOf } from '../../model/address.ts';
import { otherwiseNamed, restarts } from '../view/plan-rows.ts';

export function dangerTable(changes: readonly Change[]): string {
  return markdownTable(
    ['', 'Dangerous step', 'Action', 'Impact'],
    changes.map((change) => [
      symbolOf(change),
      addressCode(change),
      actionWords(change),
      effectsIn(change)
        .map(({ words, name }) => (words === name ? words : code(words, 400)))
        .join('; ') || '-',
    ]),
  );
}

function actionWords({ action, blockedBy }: Change): string {
  return blockedBy.length === 0 ? action : `${action} (blocked: ${blockedBy.join(', ')})`;
}

export function dangerList(changes: readonly Change[], limit: number = changes.length): string {
  const alike = groupBy(changes.slice(0, limit), (change) =>
    [`${symbolOf(change)} **${actionWords(change)}**`, ...effectsIn(change).flatMap(({ name }) => name ?? [])].join(
      '; ',
    ),
  );
  const rest = changes.length - Math.min(limit, changes.length);
  return [
    ...[...alike].map(
      ([words, inner]) => `${words} (${plural(inner.length, 'dangerous step')}):\n\n${byProject(inner)}`,
    ),
    ...(rest === 0 ? [] : [`… and ${plural(rest, 'more dangerous step')}.`]),
  ].join('\n\n');
}

/** The address. Adds a removed resource's name and id, unless the address contains the name. */
function addressCode(change: Change): string {
  const other = otherwiseNamed(change);
  return other === '' ? code(change.address) : `${code(change.address)}: ${code(other)}`;
}

/** A list in its shortest form, such as `- shop: first reports`. Projects with a single step share a line. */
function byProject(changes: readonly Change[]): string {
  const wordsOf = (change: Change, address: string): string =>
    [address, otherwiseNamed(change)].filter((one) => one !== '').join(' = ');
  const projects = [...groupBy(changes, ({ address }) => scopeOf(address))];
  const alone = projects.flatMap(([, inner]) =>
    inner.length === 1 ? inner.map((one) => wordsOf(one, one.address)) : [],
  );
  const together = projects.filter(([, inner]) => inner.length > 1);
  return [
    ...(alone.length === 0 ? [] : [`- ${names(alone)}`]),
    ...together.map(
      ([scope, inner]) =>
        `- ${code(scope)}: ${names(inner.map((one) => wordsOf(one, one.address.slice(scope.length + 1))))}`,
    ),
  ].join('\n');
}

function names(words: readonly string[]): string {
  return code(words.join(' '), Infinity);
}

function symbolOf(change: Change): string {
  return restarts(change) ? '🔶' : '🛑';
}
