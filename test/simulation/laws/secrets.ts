// Laws on secrets: no value in anything that a run says or keeps besides its places, and no place ever holds half a record.
import type { RunRecord } from '../world/run.ts';
import { SECRETS, type Site } from '../world/site.ts';

const WINDOW = 12;

/** Of the prefix that all passwords share. */
const PREFIX = 4;

/** A value's forms: parts of it, in Base64 at each offset, as hexadecimal, and backwards. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const backwards = Array.from(value).reverse().join('');
  // Passwords are short; the first bytes of a key are the prefix that all share.
  if (value.length < 24) {
    const base64 = [0, 1, 2].map((offset) => bytes.subarray(PREFIX + offset, PREFIX + offset + 9).toString('base64'));
    return [value.slice(PREFIX), ...base64, bytes.subarray(PREFIX).toString('hex'), backwards.slice(0, -PREFIX)];
  }
  const parts = [8, 24, 40].map((at) => value.slice(at, at + WINDOW));
  const base64 = [0, 1, 2].map((offset) => bytes.subarray(9 + offset, 9 + offset + 18).toString('base64'));
  return [...parts, ...base64, bytes.subarray(8, 8 + WINDOW).toString('hex'), backwards.slice(8, 8 + WINDOW)];
}

const known = new Map<string, readonly string[]>();

function forms(value: string): readonly string[] {
  const found = known.get(value) ?? formsOf(value);
  if (known.size > 2000) known.clear();
  known.set(value, found);
  return found;
}

/** True in the secrets folder of this machine, and of the other machine of a run beside. */
function isInSecrets(path: string): boolean {
  return path.startsWith(`${SECRETS}/`) || /^\/home\/\.[a-z]+\/secrets\//.test(path);
}

/** I6: everything that the runs gave out, and every file outside of the places for secrets. */
export function leaks(site: Site, runs: readonly RunRecord[]): readonly string[] {
  const texts = [
    ...runs.map((run) => textOf(run)),
    ...site.disk.paths().flatMap((path) => (isInSecrets(path) ? [] : [site.disk.text(path) ?? ''])),
    ...site.programTexts,
    ...site.wire.map(({ path, body }) => `${path} ${body ?? ''}`),
  ];
  const all = texts.join('\n');
  const isIn = (value: string): boolean => forms(value).some((form) => all.includes(form));
  return [
    ...[...site.keyValues].flatMap(([id, value]) => (isIn(value) ? [`the value of key ${id} is in the output`] : [])),
    ...[...site.passwords].flatMap((value) => (isIn(value) ? ['a password is in the output'] : [])),
  ];
}

function textOf(run: RunRecord): string {
  // An event that hands on a change of the plan says nothing that the plan does not say.
  const changes = new Set<unknown>(run.plan?.changes);
  const events = run.events.filter((event) => event.type !== 'planned_change' || !changes.has(event.change));
  return [
    JSON.stringify([run.plan, run.result, run.diagnostics, events]),
    ...run.said,
    run.error ?? '',
    ...run.life.calls,
  ].join('\n');
}

/** I17: told of every change of a file; what a reader of a place would see is a whole record of a real key or password, or nothing. */
export function watchPlaces(site: Site, complain: (violation: string) => void): void {
  site.disk.onChange = (path) => {
    if (!path.startsWith(`${SECRETS}/`) || path.slice(SECRETS.length + 1).startsWith('.')) return;
    const text = site.disk.text(path);
    if (text === null) return;
    const id = /"id": ?"?(\d+)"?/.exec(text)?.[1] ?? '';
    const key = /"key": ?"([^"]+)"/.exec(text)?.[1] ?? '';
    const password = /"password": ?"([^"]+)"/.exec(text)?.[1];
    const isReal = password === undefined ? site.keyValues.get(id) === key : site.passwords.has(password);
    if (!text.trimEnd().endsWith('}') || !isReal) complain(`a reader of ${path} would see no whole record`);
    if (site.disk.modeOf(path) !== 0o600) complain(`${path} has mode ${site.disk.modeOf(path).toString(8)}`);
  };
}
