// Every JSON that a command prints is as its schema says, and says nothing that its schema does not describe; from real runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { socketClock } from '../support/fake-io.ts';
import { fullDesk } from './account.ts';
import { clearDesks, desk } from './desk.ts';
import { schemaCheck, schemaValidators } from './schema-check.ts';

afterEach(clearDesks);

const validator = schemaValidators();
const check = schemaCheck();

interface Case {
  readonly name: string;
  readonly schema: string;
  readonly argv: readonly string[];
  readonly code: number;
  /** Commands before it. */
  readonly first?: readonly (readonly string[])[];
  readonly lines?: boolean;
}

const APPLY = ['apply', '--auto-approve', '--allow', 'revoke:*'];

const cases: readonly Case[] = [
  { name: 'a plan', schema: 'plan.schema.json', argv: ['plan'], code: 0 },
  { name: 'a plan that is compared', schema: 'plan.schema.json', argv: ['plan', '--compare-with', 'base'], code: 0 },
  {
    name: 'a plan without differences',
    schema: 'plan.schema.json',
    argv: ['plan', '--target', 'shop/reports'],
    first: [APPLY],
    code: 0,
  },
  { name: 'a result with something blocked', schema: 'result.schema.json', argv: APPLY, code: 5 },
  {
    name: 'a result of keys made and rotated',
    schema: 'result.schema.json',
    argv: [...APPLY, '--due', '--target', 'api_keys/*'],
    code: 0,
  },
  {
    name: 'a result without steps',
    schema: 'result.schema.json',
    argv: APPLY.concat('--target', 'shop/primary'),
    first: [APPLY],
    code: 0,
  },
  { name: 'event lines', schema: 'event.schema.json', argv: APPLY, code: 5, lines: true },
  {
    name: 'event lines of keys',
    schema: 'event.schema.json',
    argv: [...APPLY, '--due', '--target', 'api_keys/*'],
    code: 0,
    lines: true,
  },
  { name: 'drift', schema: 'drift.schema.json', argv: ['drift'], code: 2 },
  { name: 'drift after operations', schema: 'drift.schema.json', argv: ['drift'], first: [APPLY], code: 2 },
  { name: 'a list', schema: 'lists.schema.json#/$defs/ListFile', argv: ['list'], code: 0 },
  { name: 'previews', schema: 'lists.schema.json#/$defs/PreviewsFile', argv: ['preview', 'list'], code: 0 },
  { name: 'keys', schema: 'lists.schema.json#/$defs/KeysFile', argv: ['keys'], code: 0 },
  { name: 'operations', schema: 'lists.schema.json#/$defs/OperationsFile', argv: ['operations'], code: 0 },
  { name: 'a ping', schema: 'lists.schema.json#/$defs/PingAnswer', argv: ['ping'], code: 0 },
];

describe('JSON outputs', () => {
  it.each(cases)('$name', async ({ schema, argv, code, first = [], lines = false }) => {
    const at = fullDesk();
    for (const words of first) await at.run(...words, '--local');
    const { out, err, code: actual } = await at.run(...argv, '--local', '--format', lines ? 'ndjson' : 'json');
    expect(actual, err).toBe(code);
    if (!lines) return check(schema, out);
    const texts = out.trimEnd().split('\n');
    for (const text of texts) check(schema, text);
    expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({ type: 'run_finished' });
  });

  it('lines of drift carry the entries of the report, and show makes the same of it later', async () => {
    const at = fullDesk();
    const { out } = await at.run('drift', '--local', '--format', 'ndjson', '--write', 'json=drift.json');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => {
        check('event.schema.json', line);
        return JSON.parse(line) as { type: string; class?: string; entry?: unknown; findings?: Record<string, number> };
      });
    const report = JSON.parse(readFileSync(join(at.cwd, 'drift.json'), 'utf8')) as Record<string, unknown[]>;
    const classes = Object.keys(lines.at(-1)?.findings ?? {});
    const entries = lines.filter(({ type }) => type === 'resource_drift');
    expect(entries.map(({ entry }) => entry)).toEqual(classes.flatMap((name) => report[name]));
    expect(entries.map((line) => line.class)).toEqual(classes.flatMap((name) => report[name]?.map(() => name)));
    expect(lines.at(-1)).toMatchObject({ type: 'drift_summary', status: 'drifted' });
    const shown = (await at.run('show', 'drift.json', '--format', 'ndjson')).out.trimEnd().split('\n');
    expect(shown.slice(1)).toEqual(
      out
        .trimEnd()
        .split('\n')
        .slice(-entries.length - 1),
    );
  });

  it.each([
    ['without problems', 'version: 1\n', 0],
    ['with warnings and errors', 'version: 1\nprojects: { shop: { computes: { p: { branch: nowhere } } }, x: 7 }\n', 1],
  ])('a validation %s', async (_, text, code) => {
    const at = desk({ 'trueup.yaml': text });
    const { out, code: actual } = await at.run('validate', '--format', 'json');
    expect(actual).toBe(code);
    check('lists.schema.json#/$defs/ValidationReport', out);
  });

  it('a ping that is refused', async () => {
    const at = desk({}, { env: { TRUEUP_API_KEY: 'wrong-key-of-nobody' }, clock: socketClock() });
    const { out, code } = await at.run('ping', '--base-url', 'http://127.0.0.1:9/api/v2', '--format', 'json');
    expect(code).toBe(1);
    check('lists.schema.json#/$defs/PingAnswer', out);
  });
});

describe('a schema that is printed', () => {
  const alone = async (name: string): Promise<ValidateFunction> => {
    const { out } = await desk({}).run('schema', name);
    return new Ajv2020({ strict: false, discriminator: true }).compile(JSON.parse(out) as object);
  };

  it.each(['desired-state', 'plan', 'result', 'event', 'drift'])('%s stands alone', async (name) => {
    expect((await alone(name))({})).toBe(false);
  });

  it('drift is that of the reports, down to the changes in them', async () => {
    const valid = await alone('drift');
    const { out } = await fullDesk().run('drift', '--local', '--format', 'json');
    const report = JSON.parse(out) as { readonly changed: readonly object[] };
    expect(valid(report), JSON.stringify(valid.errors)).toBe(true);
    const [first, ...others] = report.changed;
    expect(valid({ ...report, changed: [{ ...first, trueup: { action: 'nonsense' } }, ...others] })).toBe(false);
  });
});

describe('the check itself', () => {
  it('refuses a member that no schema describes', () => {
    const valid = validator('lists.schema.json#/$defs/PingAnswer');
    expect(valid({ ok: true, base_url: 'x', milliseconds: 1 })).toBe(true);
    expect(valid({ ok: true, base_url: 'x', surprise: 1 })).toBe(false);
  });
});
