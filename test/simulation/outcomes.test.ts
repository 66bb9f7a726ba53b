// Each trouble of a write, of an operation and of a run: what the runs report, with how many requests, and what the journal has.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseJson } from '../../src/base/json.ts';
import { HOME } from '../support/files.ts';
import type { Schedule } from './schedule.ts';
import { play } from './simulate.ts';
import { undisturbed } from './single-stories.ts';
import { failuresOf, manners, troublesOf, type Part } from './troubles.ts';
import { referenceWorkloads } from './world/reference.ts';
import type { RunRecord } from './world/run.ts';
import type { Site } from './world/site.ts';

/** Between them these workloads send each kind of write. */
const workloads = referenceWorkloads.filter(({ name }) => /^(W(1|2|5|7|9|10|18|22)|T(1|3|4|5|11|13)) /.test(name));

interface Told {
  readonly words: readonly string[];
  /** What the journal has of each step. */
  readonly journal: readonly string[];
  readonly wire: Site['wire'];
  /** The actions of all operations. */
  readonly actions: readonly string[];
}

async function told(schedule: Schedule): Promise<Told> {
  const { site, runs, violations, simulatedMs } = await play(schedule, { heals: false });
  expect(violations).toEqual([]);
  const { wire, plane } = site;
  const action = new Map(plane.truth.operations().map((operation) => [operation.id, operation.action]));
  const writes = wire.filter(({ method }) => method !== 'GET').length;
  const cost = `${writes} writes, ${wire.length} requests, ${(simulatedMs / 1000).toFixed(1)} s`;
  return {
    words: [...runs.flatMap(reported), cost],
    journal: journalOf(site),
    wire,
    actions: plane.ledger().flatMap(({ operations }) => operations.map((id) => action.get(id) ?? '')),
  };
}

function reported({ result, error, diagnostics: found }: RunRecord): readonly string[] {
  if (result === null) return [error ?? 'no result', ...found.map(({ code }) => code)];
  const { status, steps, diagnostics } = result;
  const others = steps.filter(({ outcome, message }) => outcome !== 'done' && !message?.startsWith('depends on '));
  return [
    status,
    ...others.map((step) => `${step.action} ${step.address}: ${step.outcome}, ${step.message ?? ''}`),
    ...diagnostics.map(({ code, message }) => `${code}: ${message}`),
  ];
}

function journalOf({ disk }: Site): readonly string[] {
  const notes = new Map<string, string>();
  for (const line of disk.text(`${HOME}/state/journal`)?.split('\n').filter(Boolean) ?? []) {
    const note = parseJson(line) as Readonly<Record<string, string | boolean>>;
    const step = String(note['step']);
    const intent = ['intent', note['secret'] === true ? 'of a secret' : '', `known: ${String(note['known'])}`];
    const words = note['state'] ?? intent.filter((part) => !['', 'known: '].includes(part)).join(' ');
    notes.set(step, `${notes.get(step) ?? `journal: ${step}`}, ${words}`);
  }
  return [...notes.values()];
}

function partsOf({ wire, actions }: Told): readonly Part[] {
  const seen = new Set<string>();
  const isNew = (shape: string): boolean => seen.size < seen.add(shape).size;
  const isLog = ({ path }: { readonly path: string }): boolean => path.includes('/operations');
  const writes = wire.flatMap(({ method, path }, at): readonly Part[] => {
    const request = `${method} ${path}`;
    if (method === 'GET' || !isNew(request.replace(/(projects|branches|roles|databases)\/[^/]+/g, ''))) return [];
    return [[request, troublesOf({ nth: at + 1, method, path, logs: wire.slice(0, at).filter(isLog).length })]];
  });
  const operations = actions.flatMap((action, at): readonly Part[] =>
    isNew(action) ? [[action, failuresOf(at + 1)]] : [],
  );
  return [...writes, ...operations, ['the whole run', manners]];
}

function indented(lines: readonly string[], by: string): readonly string[] {
  return lines.map((line) => by + line);
}

it.each(workloads.map((workload) => [workload.name, workload] as const))('%s', async (name, workload) => {
  const quiet = undisturbed(workload);
  const whole = await told(quiet);
  const lines = [name, ...indented([...whole.words, ...whole.journal], '  ')];
  for (const [title, troubles] of partsOf(whole)) {
    const outcomes = new Map<string, readonly string[]>();
    for (const [trouble, part] of troubles) {
      const { words, journal } = await told({ ...quiet, ...part });
      const noted = journal.filter((line) => !whole.journal.includes(line));
      const text = indented([...words, ...noted], '    ').join('\n');
      outcomes.set(text, [...(outcomes.get(text) ?? []), trouble]);
    }
    lines.push('', title);
    for (const [text, alike] of outcomes) lines.push(...indented(alike, '  '), text);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join('outcomes', `${name.replace(/\W+/g, '-')}.txt`));
});
