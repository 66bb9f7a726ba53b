// The door of the room: which targets open, what children see of the environment, and what failures say.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../../src/apply/file-system.ts';
import { openSinks, secretsFolderProblem, type SinkOptions } from '../../../../src/apply/sinks/open-sinks.ts';
import type { ProgramCall } from '../../../../src/apply/sinks/run-program.ts';
import { betrays } from '../../../support/betrays.ts';
import { recordText, SinkFailure, systemWords } from '../../../../src/apply/sinks/sink.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { NEW, noProgram, recordOf, sinkIn, spiedFileSystem, systemError, workFolder } from './world.ts';
import { RECORD } from '../../../../src/kinds/api-key/key.ts';

function options(more: Partial<SinkOptions> = {}): SinkOptions {
  return {
    secretsDir: 'state/secrets',
    secretsProblem: null,
    trees: [],
    workDir: '/work-that-is-not-there',
    declared: new Map([['vault-ci', '/opt/sinks/vault.sh']]),
    fileSystem: nodeFileSystem,
    run: noProgram,
    env: {},
    confidential: [],
    ci: false,
    runId: 'run1',
    ...more,
  };
}

describe('targets', () => {
  const PREVIEWS = { declared: new Map([['preview-*', '/opt/sinks/previews.sh']]) };
  it.each<[string, readonly JsonObject[], labels: string[], codes: string[], Partial<SinkOptions>?]>([
    ['a file', [{ file: 'ci.json' }], ['file:ci.json'], []],
    ['a program', [{ exec: 'vault-ci' }], ['exec:vault-ci'], []],
    ['a list, in its order', [{ exec: 'vault-ci' }, { file: 'ci.json' }], ['exec:vault-ci', 'file:ci.json'], []],
    ['a file on a build machine', [{ file: 'ci.json' }], ['file:ci.json'], ['sink_on_ci'], { ci: true }],
    ['a program on a build machine', [{ exec: 'vault-ci' }], ['exec:vault-ci'], [], { ci: true }],
    ['a program that nobody declared', [{ exec: 'vault-c1' }], [], ['sink_undeclared']],
    ['a program declared for a pattern of names', [{ exec: 'preview-7' }], ['exec:preview-7'], [], PREVIEWS],
    ['a pattern that covers another name', [{ exec: 'reviews-7' }], [], ['sink_undeclared'], PREVIEWS],
    ['a program of none', [{ exec: 'vault-ci' }], [], ['sink_undeclared'], { declared: new Map([['vault-ci', '']]) }],
    ['a name that leads out', [{ file: '../x' }], [], ['sink_name']],
    ['a name that is an option', [{ exec: '--help' }], [], ['sink_name']],
    ['one file in two spellings', [{ file: 'a.json' }, { file: 'A.json' }], [], ['sink_twice']],
    ['neither file nor program', [{}], [], ['sink_unknown']],
    ['both at once', [{ file: 'a', exec: 'vault-ci' }], [], ['sink_unknown']],
  ])('%s', (_what, targets, labels, codes, more) => {
    const opened = openSinks(targets, RECORD, options(more));
    expect(opened.sinks.map(({ label }) => label)).toEqual(labels);
    expect(opened.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['vault-c1', 'Declare the program on the command line: --sink vault-c1=PROGRAM. Did you mean vault-ci?'],
    ['elsewhere', 'Declare the program on the command line: --sink elsewhere=PROGRAM.'],
  ])('suggest the declared name that is close: %s', (exec, hint) => {
    const { diagnostics } = openSinks([{ exec }], RECORD, options());
    expect(diagnostics[0]?.hint).toBe(hint);
  });
});

it.each<[string, secretsDir: string, inputs: readonly string[], code: string | null]>([
  ['in the work tree of the run', 'tree/state', [], 'secrets_in_work_tree'],
  ['in the work tree of an input', 'other/state', ['../other/trueup.yaml'], 'secrets_in_work_tree'],
  ['behind a link into the work tree', 'link/state', [], 'secrets_in_work_tree'],
  ['in a work tree that holds no input', 'other/state', [], null],
  ['in no work tree', 'state', ['../other/trueup.yaml'], null],
])('a folder for secrets %s', (_where, secretsDir, inputs, code) => {
  const folder = workFolder();
  for (const tree of ['tree', 'other']) mkdirSync(join(folder, tree, '.git'), { recursive: true });
  symlinkSync(join(folder, 'tree'), join(folder, 'link'));
  const problem = secretsFolderProblem(join(folder, secretsDir), join(folder, 'tree'), inputs);
  expect(problem?.code ?? null).toBe(code);
});

it('a name of its own goes before a pattern, and a longer pattern before a shorter one', async () => {
  const programs: string[] = [];
  const run = async ({ program }: ProgramCall) => {
    programs.push(program);
    return Promise.resolve({ end: 'exited', code: 0, stderr: '', problem: null } as const);
  };
  const declared = new Map([
    ['*', 'any'],
    ['preview-*', 'previews'],
    ['preview-1', 'first'],
  ]);
  const { sinks } = openSinks(
    ['preview-1', 'preview-2', 'other'].map((exec) => ({ exec })),
    RECORD,
    options({ run, declared }),
  );
  for (const sink of sinks) await sink.check();
  expect(programs).toEqual(['first', 'previews', 'any']);
});

it('a child sees nothing of our credentials, under whatever name, and no secret in its arguments', async () => {
  const calls: ProgramCall[] = [];
  const credential = new Secret('napi_the0run1own2credential3');
  const env = {
    PATH: '/bin',
    VAULT_TOKEN: 'theirs',
    TRUEUP_API_KEY: 'x',
    TRUEUP_VAR_PASSWORD: 'y',
    NEON_API_KEY: 'z',
    COPIED: `Bearer ${credential.reveal()}`,
    MY_TRUEUP_NOTE: 'theirs too',
    GONE: undefined,
  };
  const run = async (call: ProgramCall) => {
    calls.push(call);
    return Promise.resolve({ end: 'exited', code: 0, stderr: '', problem: null } as const);
  };
  const { sinks } = openSinks(
    [{ exec: 'vault-ci' }],
    RECORD,
    options({ env, run, confidential: [credential, new Secret(''), NEW] }),
  );
  for (const sink of sinks) await (await sink.reserve()).store(recordOf('42'), { key: NEW });
  expect(calls).toHaveLength(3);
  for (const { env: seen, args, program } of calls) {
    expect(seen).toEqual({ PATH: '/bin', VAULT_TOKEN: 'theirs', MY_TRUEUP_NOTE: 'theirs too' });
    expect(betrays(inspect([args, program]), NEW.reveal())).toBe(false);
  }
});

it.each([
  ['an id beyond 2^53 is a number', '9007199254740993', '9007199254740993'],
  ['an id that begins with 0 stays a text', '007', '"007"'],
  ['an id that is no number stays a text', 'key-7', '"key-7"'],
])('in the record %s', (_what, id, written) => {
  expect(recordText(RECORD, recordOf(id), { key: NEW })).toContain(`"id": ${written},`);
});

it.each([
  ['', 'an unexpected error'],
  ['EBUSY', 'EBUSY'],
  ['EIO', 'the disk reported an error (EIO)'],
])('the words for the system error "%s"', (code, words) => {
  expect(systemWords(code)).toBe(words);
});

it('a failure keeps the error that caused it, where there was one', () => {
  const cause = systemError('EIO');
  expect(new SinkFailure('file:ci.json', 'no', cause).cause).toBe(cause);
  expect(new SinkFailure('file:ci.json', 'no')).not.toHaveProperty('cause');
});

it('no failure of a file sink holds any part of the secret, however it is printed', async () => {
  const printed: string[] = [];
  for (let n = 1; n < 200; n++) {
    let count = 0;
    const fails = (call: string): void => {
      count++;
      if (count >= n && call !== 'remove') throw systemError('EIO');
    };
    try {
      const reservation = await sinkIn(workFolder(), { fileSystem: spiedFileSystem(fails) }).reserve();
      await reservation.store(recordOf('42'), { key: NEW });
      break;
    } catch (error) {
      printed.push(
        String(error),
        inspect(error, { depth: 9, showHidden: true }),
        JSON.stringify(error),
        (error as Error).stack ?? '',
      );
    }
  }
  expect(printed.length).toBeGreaterThan(80);
  expect(betrays(printed.join('\n'), NEW.reveal())).toBe(false);
});
