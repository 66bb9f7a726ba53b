// Whose account a run of the journal was for: what runs for others did is no evidence here.
import type { Account, JournalLine } from './lines.ts';

/** How many accounts lines are kept of, those of the newest runs. Stores behind one base URL come and go: as many are kept besides, so that they push out no account. */
const MAX_ACCOUNTS = 8;

/** The lines of runs for this account. Where a run's beginning is lost, or does not tell (an earlier version), it is nobody's. */
export function linesFor(account: Account, lines: readonly JournalLine[]): readonly JournalLine[] {
  const wanted = nameOf(account);
  const names = namesIn(lines);
  return lines.filter(({ run }) => names.get(run) === wanted);
}

/** The lines of each account, without those that are nobody's. */
export function byAccount(lines: readonly JournalLine[]): readonly (readonly JournalLine[])[] {
  const names = namesIn(lines);
  const stores = new Set(
    lines.flatMap((line) => (line.type === 'run' && line.account?.store !== undefined ? [nameOf(line.account)] : [])),
  );
  const newest = [...new Set([...names.values()].toReversed())];
  const kept = [false, true].flatMap((isStore) =>
    newest.filter((name) => stores.has(name) === isStore).slice(0, MAX_ACCOUNTS),
  );
  return kept.map((name) => lines.filter(({ run }) => names.get(run) === name));
}

/** The account's name by run, in the order of the runs. */
function namesIn(lines: readonly JournalLine[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) =>
      line.type === 'run' && line.account !== undefined ? [[line.run, nameOf(line.account)] as const] : [],
    ),
  );
}

function nameOf({ baseUrl, orgId, store }: Account): string {
  return JSON.stringify(store === undefined ? [baseUrl, orgId] : [baseUrl, orgId, store]);
}
