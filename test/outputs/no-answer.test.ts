// A service that cannot be reached, or that refuses the credential: one error, the same in every output, and nothing after the last word.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { socketClock } from '../support/fake-io.ts';
import { clearDesks, desk, type Desk } from './desk.ts';
import { refusingService } from './refusing-service.ts';

const refusingUrl = refusingService();
afterAll(clearDesks);

const PROJECTS = `version: 1\nprojects:\n${Array.from(
  { length: 6 },
  (_, at) => `  s${at}: { id: p-${at}, computes: { primary: { branch_id: br-${at} } } }\n`,
).join('')}`;
const KEYS = 'version: 1\napi_keys:\n  ci: { secret: { file: ci.json } }\n';
const NOBODY = ['--base-url', 'http://127.0.0.1:9/api/v2'];
const refusal = (): string[] => ['--base-url', refusingUrl()];

const open = (text: string): Desk =>
  desk({ 'trueup.yaml': text }, { env: { TRUEUP_API_KEY: 'a-key-of-nobody' }, clock: socketClock() });
const typesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);

describe('a service that is not there', () => {
  it.each([
    { what: 'projects with ids', text: PROJECTS, argv: ['plan', '-o', 'plan.json'] },
    { what: 'projects with ids', text: PROJECTS, argv: ['drift'] },
    { what: 'projects with ids', text: PROJECTS, argv: ['apply', '--auto-approve'] },
    { what: 'projects with ids', text: PROJECTS, argv: ['list'] },
    { what: 'keys alone', text: KEYS, argv: ['plan', '-o', 'plan.json'] },
    { what: 'keys alone', text: KEYS, argv: ['keys'] },
  ])('is an error for $argv of $what, and no plan is saved', async ({ text, argv }) => {
    const at = open(text);
    const { code, out, err } = await at.run(...argv, ...NOBODY);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/error: GET .* was not sent/);
    expect(existsSync(join(at.cwd, 'plan.json'))).toBe(false);
  });
});

describe('a credential that is refused', () => {
  it('ends the events and the log of an apply, whatever else was being read', async () => {
    const at = open(PROJECTS);
    const { code, out } = await at.run(
      'apply',
      '--auto-approve',
      '--format',
      'ndjson',
      '--log-file',
      'log',
      ...refusal(),
    );
    expect([code, typesOf(out)]).toEqual([1, ['version', 'diagnostic', 'run_finished']]);
    expect(typesOf(readFileSync(join(at.cwd, 'log'), 'utf8'))).toEqual(['diagnostic', 'run_finished']);
  });

  it.each(['plan', 'drift'])('is in the log of %s, and in place of the report that was there', async (command) => {
    const at = open(PROJECTS);
    at.write('report.json', '{"status":"in_sync"}');
    at.write('report.md', 'as it was');
    const writes = ['--write', 'json=report.json', '--write', 'markdown=report.md', '--log-file', 'log'];
    const { code, err } = await at.run(command, ...writes, ...refusal());
    expect(code, err).toBe(1);
    expect(typesOf(readFileSync(join(at.cwd, 'log'), 'utf8'))).toEqual(['diagnostic']);
    expect(JSON.parse(readFileSync(join(at.cwd, 'report.json'), 'utf8'))).toMatchObject({
      valid: false,
      diagnostics: [{ code: 'unauthorized' }],
    });
    expect(readFileSync(join(at.cwd, 'report.md'), 'utf8')).toBe('as it was');
  });

  it('and files with mistakes leave no report of yesterday either', async () => {
    const at = open('version: 1\nwrong: 1\n');
    at.write('report.json', '{"status":"in_sync"}');
    const { code } = await at.run('drift', '--write', 'json=report.json', ...refusal());
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(join(at.cwd, 'report.json'), 'utf8'))).toMatchObject({
      diagnostics: [{ code: 'unknown_key' }],
    });
  });
});

describe('files to write', () => {
  it.each([
    [['plan', '--write', 'json=-'], '--write takes a file'],
    [['plan', '--write', 'json=a', '--write', 'html=./a'], '--write names ./a twice'],
    [['plan', '--write', 'json=a', '--log-file', 'a'], '--log-file and --write name the same file'],
    [['plan', '--write', 'json=a.json', '--out', 'a.json'], 'a.json is named by --out and by another flag'],
    [['apply', 'plan.json', '--due'], '--due does not go with it'],
  ])('%j is refused', async (argv, words) => {
    const at = open(PROJECTS);
    const { code, err } = await at.run(...argv, ...NOBODY);
    expect([code, existsSync(join(at.cwd, '-')), existsSync(join(at.cwd, 'a'))]).toEqual([1, false, false]);
    expect(err).toContain(words);
  });
});
