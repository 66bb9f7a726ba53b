// A command that ends before it has a result: the machine formats carry every problem, and stderr says it to a person.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { socketClock } from '../support/fake-io.ts';
import { fullDesk } from './account.ts';
import { clearDesks, desk, type Desk } from './desk.ts';
import { refusingService } from './refusing-service.ts';
import { schemaCheck } from './schema-check.ts';

const check = schemaCheck();
const REPORT = 'lists.schema.json#/$defs/ValidationReport';

interface Command {
  readonly argv: readonly string[];
  readonly format: 'json' | 'ndjson';
  /** What it needs: files, and a service. */
  readonly needs: readonly ('files' | 'service')[];
  readonly schema: string;
}

const BOTH = ['files', 'service'] as const;
const APPLY = ['apply', '--auto-approve'];
const COMMANDS: readonly Command[] = [
  { argv: ['validate'], format: 'json', needs: ['files'], schema: REPORT },
  { argv: ['plan'], format: 'json', needs: BOTH, schema: REPORT },
  { argv: ['plan'], format: 'ndjson', needs: BOTH, schema: 'event.schema.json' },
  { argv: APPLY, format: 'json', needs: BOTH, schema: 'result.schema.json' },
  { argv: APPLY, format: 'ndjson', needs: BOTH, schema: 'event.schema.json' },
  { argv: ['drift'], format: 'json', needs: BOTH, schema: REPORT },
  { argv: ['drift'], format: 'ndjson', needs: BOTH, schema: 'event.schema.json' },
  { argv: ['list'], format: 'json', needs: BOTH, schema: REPORT },
  { argv: ['keys'], format: 'json', needs: BOTH, schema: REPORT },
  { argv: ['pin'], format: 'json', needs: BOTH, schema: REPORT },
  { argv: ['operations'], format: 'json', needs: ['service'], schema: REPORT },
  { argv: ['ping'], format: 'json', needs: ['service'], schema: REPORT },
  { argv: ['show', 'nowhere.json'], format: 'json', needs: [], schema: REPORT },
];

interface Failure {
  readonly name: string;
  readonly needs: 'files' | 'service' | null;
  readonly at: () => Desk;
  readonly flags: readonly string[];
  /** Codes of the errors, and what one of them says. */
  readonly codes: readonly string[];
  readonly says: RegExp;
}

const FAILURES: readonly Failure[] = [
  {
    name: 'an unknown flag',
    needs: null,
    at: fullDesk,
    flags: ['--nonsense'],
    codes: ['usage'],
    says: /^unknown option '--nonsense'$/,
  },
  {
    name: 'a file that cannot be written',
    needs: null,
    at: fullDesk,
    flags: ['--write', 'json=nowhere/x.json'],
    codes: ['usage'],
    says: /the folder does not exist/,
  },
  {
    name: 'files with 25 mistakes',
    needs: 'files',
    at: () => desk({ 'trueup.yaml': wrong(25) }, { env: { TRUEUP_API_KEY: 'a-key-of-nobody' } }),
    flags: ['--base-url', 'http://127.0.0.1:9/api/v2'],
    codes: Array.from({ length: 25 }, () => 'unknown_key'),
    says: /wrong24/,
  },
  {
    name: 'no credential',
    needs: 'service',
    at: fullDesk,
    flags: ['--base-url', 'http://127.0.0.1:9/api/v2'],
    codes: ['usage'],
    says: /^no API key$/,
  },
  {
    name: 'a credential that is refused',
    needs: 'service',
    at: () => desk({ 'trueup.yaml': GOOD }, { env: { TRUEUP_API_KEY: 'a-key-of-nobody' }, clock: socketClock() }),
    flags: ['--base-url', 'REFUSING'],
    codes: ['unauthorized'],
    says: /401/,
  },
  {
    name: 'a service that is not there',
    needs: 'service',
    at: () => desk({ 'trueup.yaml': GOOD }, { env: { TRUEUP_API_KEY: 'a-key-of-nobody' }, clock: socketClock() }),
    flags: ['--base-url', 'http://127.0.0.1:9/api/v2'],
    codes: ['unreachable'],
    says: /127\.0\.0\.1:9|ECONNREFUSED|refused/,
  },
];

const refusingUrl = refusingService();
afterAll(clearDesks);

const GOOD = 'version: 1\nprojects: { shop: { computes: { primary: { branch_id: br-wispy-meadow-118737 } } } }\n';

function wrong(count: number): string {
  return `version: 1\n${Array.from({ length: count }, (_, at) => `wrong${at}: 1\n`).join('')}`;
}

const table = FAILURES.flatMap((failure) =>
  COMMANDS.filter(({ needs }) => failure.needs === null || needs.includes(failure.needs)).map((command) => ({
    title: `${command.argv[0]} --format ${command.format}: ${failure.name}`,
    command,
    failure,
  })),
)
  // Its own answer says so, with exit code 1.
  .filter(({ command: { argv }, failure }) => argv[0] !== 'ping' || !/refused|not there/.test(failure.name));

describe('before there is a result', () => {
  it.each(table)('$title', async ({ command, failure }) => {
    const { argv, format, schema } = command;
    const flags = failure.flags.map((word) => (word === 'REFUSING' ? refusingUrl() : word));
    const { code, out, err } = await failure
      .at()
      .run(...argv, ...(argv[0] === 'validate' && failure.needs === 'files' ? [] : flags), '--format', format);
    expect(code, err).toBe(1);
    // What validate finds is its result.
    expect(err !== '' || argv[0] === 'validate').toBe(true);
    const lines = format === 'ndjson' ? out.trimEnd().split('\n') : [out];
    for (const line of lines) check(schema, line);
    const errors = diagnosticsIn(lines).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code: word }) => word)).toEqual(failure.codes);
    expect(errors.some(({ summary }) => failure.says.test(summary))).toBe(true);
    if (format === 'ndjson') {
      const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
      expect(types.filter((type) => type !== 'retry')).toEqual([
        'version',
        ...errors.map(() => 'diagnostic'),
        ...(argv[0] === 'apply' ? ['run_finished'] : []),
      ]);
      const sends = /refused|not there/.test(failure.name);
      if (argv[0] !== 'apply') return;
      const end = JSON.parse(lines.at(-1) ?? '') as { readonly status: string; readonly requests: number };
      expect([end.status, end.requests > 0]).toEqual(['error', sends]);
    }
  });
});

interface Said {
  readonly severity: string;
  readonly code: string;
  readonly summary: string;
}

function diagnosticsIn(lines: readonly string[]): readonly Said[] {
  return lines.flatMap((line) => {
    const { diagnostic, diagnostics } = JSON.parse(line) as { diagnostic?: Said; diagnostics?: readonly Said[] };
    return diagnostics ?? (diagnostic === undefined ? [] : [diagnostic]);
  });
}

describe('a quiet apply', () => {
  it('says on stderr why it held something back', async () => {
    const { code, err } = await fullDesk().run('apply', '--local', '--auto-approve', '-q');
    expect(code).toBe(5);
    expect(err).toContain('delete is blocked (protect)');
  });

  it('says on stderr what has made a saved plan stale', async () => {
    const at = fullDesk();
    await at.run('plan', '--local', '-o', 'plan.json');
    const path = '/projects/spring-example-302709/endpoints/ep-cool-darkness-123456';
    await at.api('PATCH', path, '{"endpoint":{"settings":{"pg_settings":{"work_mem":"32MB"}}}}');
    const { code, err } = await at.run('apply', 'plan.json', '--local', '-q');
    expect(code, err).toBe(4);
    expect(err).toContain('ep-cool-darkness-123456');
  });
});

describe('an apply', () => {
  it.each([
    ['an expired plan', 'stale', 4, ['stale']],
    ['a hash that is not that of the plan', 'stale', 4, ['stale']],
    ['nobody who could approve', 'error', 1, ['usage']],
  ])('of %s ends with that in the result and in the events', async (name, status, code, codes) => {
    for (const format of ['json', 'ndjson']) {
      const at = fullDesk();
      if (name === 'an expired plan') {
        await at.run('plan', '--local', '-o', 'plan.json', '--expires-in', '1s');
        await at.wait(2000);
      }
      const words =
        name === 'an expired plan'
          ? ['plan.json']
          : name.startsWith('a hash')
            ? ['--expect-hash', `sha256:${'0'.repeat(64)}`]
            : [];
      const run = await at.run('apply', ...words, '--local', '--format', format, '--write', `${format}=result.txt`);
      expect(run.code, run.err).toBe(code);
      const lines = format === 'ndjson' ? run.out.trimEnd().split('\n') : [run.out];
      for (const line of lines) check(format === 'json' ? 'result.schema.json' : 'event.schema.json', line);
      const end = JSON.parse(lines.at(-1) ?? '') as { readonly requests: number };
      expect(end).toMatchObject({ status });
      // The others end before anything is sent.
      expect(end.requests > 0).toBe(name.startsWith('a hash'));
      const errors = diagnosticsIn(lines).filter(({ severity }) => severity === 'error');
      expect(errors.map((error) => error.code)).toEqual(codes);
      expect(readFileSync(join(at.cwd, 'result.txt'), 'utf8')).toBe(run.out);
    }
  });

  it('a saved plan does not pass over files that are named and not there', async () => {
    const at = fullDesk();
    await at.run('plan', '--local', '-o', 'plan.json');
    const { code, err } = await at.run('apply', 'plan.json', '--local', '-f', 'nowhere.yaml');
    expect(code).toBe(1);
    expect(err).toContain('nowhere.yaml does not exist');
  });

  it('tells what is blocked, what could not be read and what the files are warned of, besides its steps', async () => {
    for (const format of ['json', 'ndjson']) {
      const at = fullDesk();
      const { out } = await at.run(...APPLY, '--local', '--format', format);
      const said = diagnosticsIn(format === 'ndjson' ? out.trimEnd().split('\n') : [out]);
      expect(said.filter(({ code }) => code === 'blocked').map(({ summary }) => summary)).toEqual(
        expect.arrayContaining([expect.stringMatching(/protected from deletion/)]),
      );
    }
  });
});
