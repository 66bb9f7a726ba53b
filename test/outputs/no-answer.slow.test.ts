// A service that cannot be reached, or that refuses the credential: one error, the same in every output, and nothing after the last word.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { socketClock } from '../support/fake-io.ts';
import { clearDesks, desk, type Desk } from './desk.ts';
import { refusingService } from './refusing-service.ts';
import { schemaCheck } from './schema-check.ts';

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
    const words = ['apply', '--auto-approve', '--format', 'ndjson', '--log-file', 'log'];
    const { code, out } = await at.run(...words, ...refusal());
    expect([code, typesOf(out)]).toEqual([1, ['version', 'diagnostic', 'run_finished']]);
    expect(typesOf(readFileSync(join(at.cwd, 'log'), 'utf8'))).toEqual(['diagnostic', 'run_finished']);
  });

  it.each(['plan', 'drift'])('is in the log of %s, and in place of the report that was there', async (command) => {
    const at = open(PROJECTS);
    at.write('report.json', '{"status":"in_sync"}');
    const writes = ['--write', 'json=report.json', '--log-file', 'log'];
    const { code, err } = await at.run(command, ...writes, ...refusal());
    expect(code, err).toBe(1);
    expect(typesOf(readFileSync(join(at.cwd, 'log'), 'utf8'))).toEqual(['diagnostic']);
    expect(JSON.parse(readFileSync(join(at.cwd, 'report.json'), 'utf8'))).toMatchObject({
      valid: false,
      diagnostics: [{ code: 'unauthorized' }],
    });
  });
});

describe('a report of yesterday', () => {
  const check = schemaCheck();
  const failed = async (command: string, format: string, text: string = PROJECTS): Promise<string> => {
    const at = open(text);
    at.write('report.txt', YESTERDAY);
    const { code, out, err } = await at.run(command, '--write', `${format}=report.txt`, ...refusal());
    expect([code, out], err).toEqual([1, '']);
    return readFileSync(join(at.cwd, 'report.txt'), 'utf8');
  };
  const YESTERDAY = [
    'trueup_drift_status{status="in_sync"} 1',
    'trueup_drift_last_success_timestamp_seconds 1767139200',
    '',
  ].join('\n');

  it.each(['plan', 'drift'])('of %s is replaced in every format for people', async (command) => {
    expect(await failed(command, 'human')).toMatch(/^error unauthorized: GET .* was answered 401/);
    const page = await failed(command, 'markdown');
    expect(page).toMatch(new RegExp(`^<!-- trueup ${command} -->\n\n### No ${command}`));
    expect(page).toMatch(/#### Problems\n\n- `unauthorized: GET .*401.*`/);
    expect(await failed(command, 'html')).toMatch(
      /<h1>No (plan|drift report): [^]*<p class="bad">unauthorized: GET .*401/,
    );
  });

  it.each(['plan', 'drift'])('of %s in JSON becomes one of trueup validate', async (command) => {
    check('lists.schema.json#/$defs/ValidationReport', await failed(command, 'json'));
  });

  it('becomes a JUnit report with an error', async () => {
    const text = await failed('drift', 'junit', 'version: 1\nwrong: 1\n');
    expect(text).toContain('<testsuites name="trueup drift" tests="1" failures="0" errors="1" skipped="0">');
    expect(text).toContain('<testcase name="unknown_key" classname="drift.error" file="trueup.yaml" line="2">');
    expect(text).toMatch(/<error type="unknown_key" message=".*wrong/);
  });

  it('becomes a SARIF log of a run that failed, without a list of findings', async () => {
    const log = JSON.parse(await failed('drift', 'sarif', 'version: 1\nwrong: 1\n')) as {
      readonly runs: readonly object[];
    };
    expect(log.runs).toMatchObject([
      {
        invocations: [
          {
            executionSuccessful: false,
            toolExecutionNotifications: [
              {
                level: 'error',
                descriptor: { id: 'unknown_key' },
                locations: [
                  { physicalLocation: { artifactLocation: { uri: 'trueup.yaml' }, region: { startLine: 2 } } },
                ],
              },
            ],
          },
        ],
      },
    ]);
    expect(log.runs[0]).not.toHaveProperty('results');
  });

  it('becomes metrics that say so, with the time of the last success', async () => {
    const lines = (await failed('drift', 'prometheus')).split('\n').filter((line) => !line.startsWith('#'));
    expect(lines).toEqual([
      'trueup_drift_status{status="in_sync"} 0',
      'trueup_drift_status{status="drifted"} 0',
      'trueup_drift_status{status="incomplete"} 0',
      'trueup_drift_status{status="error"} 1',
      expect.stringMatching(/^trueup_drift_last_run_timestamp_seconds \d/),
      'trueup_drift_last_success_timestamp_seconds 1767139200',
      '',
    ]);
  });
});

describe('files to write', () => {
  it.each([
    [['plan', '--write', 'json=-'], '--write takes a file'],
    [['plan', '--write', 'json=a', '--write', 'html=./a'], '--write json=… and --write html=… name the same file'],
    [['plan', '--write', 'json=a', '--log-file', 'a'], '--write json=… and --log-file name the same file'],
    [['plan', '--write', 'json=a.json', '--out', 'a.json'], '--out and --write json=… name the same file'],
    [['apply', 'plan.json', '--due'], '--due cannot be given with it'],
  ])('%j is refused', async (argv, words) => {
    const at = open(PROJECTS);
    const { code, err } = await at.run(...argv, ...NOBODY);
    expect([code, existsSync(join(at.cwd, '-')), existsSync(join(at.cwd, 'a'))]).toEqual([1, false, false]);
    expect(err).toContain(words);
  });
});
