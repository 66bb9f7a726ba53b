// A secret behind a program: given on stdin alone, checked before and after, and never quoted from what the program says.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { betrays } from '../../../support/betrays.ts';
import { execNameProblem, execSink } from '../../../../src/apply/sinks/exec-sink.ts';
import {
  programRunner,
  type ProgramCall,
  type ProgramEnd,
  type RunProgram,
} from '../../../../src/apply/sinks/run-program.ts';
import { SinkFailure, type SecretSink } from '../../../../src/apply/sinks/sink.ts';
import { NEW, recordOf, workFolder } from './world.ts';
import { RECORD } from '../../../../src/kinds/api-key/key.ts';

const exited = (code: number): ProgramEnd => ({ end: 'exited', code, stderr: '', problem: null });
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

function script(folder: string, body: string): string {
  const path = join(folder, 'a sink.sh');
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

function sinkOf(workDir: string, program: string, run: RunProgram = programRunner(systemClock)): SecretSink {
  return execSink({ name: 'ci-deploy', shape: RECORD, program, run, env: { PATH }, workDir });
}

const STORE = `
case "$1" in
  check) test -f "$2.json" || exit 3 ;;
  put) umask 077; cat > "$2.json"; printf '%s\\n' "$@" > argv; env > environment ;;
esac`;

describe('a program', () => {
  it('is asked, given the record on stdin, and asked again', async () => {
    const workDir = workFolder();
    const sink = sinkOf(workDir, script(workDir, STORE));
    expect(await sink.check()).toMatchObject({ state: 'absent', holds: null });
    await (await sink.reserve()).store(recordOf('9007199254740993'), { key: NEW });
    expect(await sink.check()).toMatchObject({ state: 'stored', holds: null });
    const text = readFileSync(join(workDir, 'ci-deploy.json'), 'utf8');
    expect(text).toContain('"id": 9007199254740993,');
    expect(JSON.parse(text)).toMatchObject({
      name: 'ci-deploy',
      key: NEW.reveal(),
      created_at: '2026-01-01T00:00:00Z',
    });
    expect(readFileSync(join(workDir, 'argv'), 'utf8')).toBe('put\nci-deploy\n');
    expect(betrays(readFileSync(join(workDir, 'environment'), 'utf8'), NEW.reveal())).toBe(false);
  });

  it.each([
    ['its id', '{"id": 42, "updated_at": "x"}', { id: '42' }],
    ['its id in text, and whose it is', '{"id": "42", "name": "ci"}', { id: '42', name: 'ci' }],
    ['more than anybody asked for', '{"id": 42, "key": "napi_x", "note": "napi_x"}', { id: '42' }],
    ['what is too long for a fact', JSON.stringify({ id: 42, name: 'x'.repeat(301) }), { id: '42' }],
    ['the value alone', 'napi_x', null],
    ['nothing', '', null],
    ['more than a record can be', `{"id": 42}${' '.repeat(20_000)}`, null],
  ])('may print what it holds, of which no value is taken: %s', async (_what, text, holds) => {
    const workDir = workFolder();
    writeFileSync(join(workDir, 'told'), text);
    expect(await sinkOf(workDir, script(workDir, 'cat told')).check()).toEqual({
      state: 'stored',
      holds,
      reason: null,
    });
  });

  it('that holds the record of somebody else is not given another one', async () => {
    const workDir = workFolder();
    const body = 'case "$1" in check) echo \'{"id": 7, "name": "other"}\' ;; put) touch put ;; esac';
    const reservation = await sinkOf(workDir, script(workDir, body)).reserve();
    await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow(/sink holds the secret of .*other/);
    expect(existsSync(join(workDir, 'put'))).toBe(false);
  });

  it('is told to forget, and its exit code says whether it has', async () => {
    const workDir = workFolder();
    const sink = sinkOf(workDir, script(workDir, 'test "$1 $2" = "forget ci-deploy" || exit 9; exit "$(cat code)"'));
    writeFileSync(join(workDir, 'code'), '0');
    await expect(sink.forget()).resolves.toBeUndefined();
    writeFileSync(join(workDir, 'code'), '4');
    await expect(sink.forget()).rejects.toThrow('exec:ci-deploy: forget exited with code 4');
  });

  it('may ignore its input: its exit code alone counts', async () => {
    const workDir = workFolder();
    const stored = (await sinkOf(workDir, script(workDir, 'exit 0')).reserve()).store(recordOf('42'), { key: NEW });
    await expect(stored).resolves.toBeUndefined();
  });

  it('cannot give back what it held before, and says so', async () => {
    const workDir = workFolder();
    const reservation = await sinkOf(workDir, script(workDir, 'exit 0')).reserve();
    await reservation.store(recordOf('42'), { key: NEW });
    await expect(reservation.revert()).rejects.toThrow(/keeps the new secret/);
  });
});

describe('a program that is broken', () => {
  const FLOOD = 'i=0; while [ $i -lt 3000 ]; do echo flood of words >&2; echo x; i=$((i+1)); done; exit 9';
  it.each([
    ['is not there', null, /could not be run: there is no such program.*\(ENOENT\)/],
    ['fails its check', 'echo no route to vault >&2; exit 1', /check exited with code 1: no route to vault/],
    ['is killed', 'kill -9 $$', /check was killed \(SIGKILL\)/],
    ['writes a flood', FLOOD, /code 9: flood of words$/],
    [
      'writes what is not inert',
      "printf '\\033[31mred\\n::error::x\\033[0m' >&2; exit 2",
      /code 2: ::error::x\\u\{1b\}\[0m$/,
    ],
  ])('%s: nothing can be reserved, and the reason is told', async (_what, body, says) => {
    const workDir = workFolder();
    const sink = sinkOf(workDir, body === null ? join(workDir, 'missing') : script(workDir, body));
    expect(await sink.check()).toMatchObject({ state: 'broken', reason: expect.stringMatching(says) as string });
    await expect(sink.reserve()).rejects.toThrow(says);
  });

  const SECRET = '"$(sed -n \'s/.*"key": "\\(.*\\)",/\\1/p\' )"';
  const leaks: Record<string, string> = {
    'the secret': `echo refused: ${SECRET} >&2`,
    'it reversed, in an earlier line': `echo ${SECRET} | rev >&2; echo refused >&2`,
  };
  for (const [what, body] of Object.entries(leaks))
    it(`and prints ${what}: the message is left out`, async () => {
      const workDir = workFolder();
      const sink = sinkOf(workDir, script(workDir, `test "$1" = check && exit 3; ${body}; exit 1`));
      const error = await (await sink.reserve()).store(recordOf('42'), { key: NEW }).then(
        () => null,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(SinkFailure);
      expect(String(error)).toMatch(/put exited with code 1: its message is left out/);
      expect(betrays(String(error), NEW.reveal())).toBe(false);
    });

  it.each([
    ['a key', `found ${NEW.reveal()}`, 'found …'],
    ['a password, which is shorter', 'found npg_Ab3dEf6hIj9k', 'found …'],
    [
      'a connection string',
      'no route to postgresql://app:p%40ss@ep-cool.example.com/db',
      'no route to postgresql://…@ep-cool.example.com/db',
    ],
    ['words alone', 'HTTP 403 from vault.example.com: no permission', 'HTTP 403 from vault.example.com: no permission'],
  ])(
    'and prints %s at its check or when it is to forget: only what cannot be a secret is shown',
    async (_what, said, shown) => {
      const workDir = workFolder();
      writeFileSync(join(workDir, 'said'), said);
      const sink = sinkOf(workDir, script(workDir, 'cat said >&2; exit 1'));
      expect((await sink.check()).reason).toBe(`check exited with code 1: ${shown}`);
      await expect(sink.forget()).rejects.toThrow(
        new SinkFailure('exec:ci-deploy', `forget exited with code 1: ${shown}`),
      );
    },
  );
});

describe('put and the check after it', () => {
  const ok = exited(0);
  const absent = exited(3);
  function scripted(...ends: readonly ProgramEnd[]): { run: RunProgram; calls: ProgramCall[] } {
    const calls: ProgramCall[] = [];
    return {
      calls,
      run: async (call) => {
        calls.push(call);
        return Promise.resolve(ends[calls.length - 1] ?? ok);
      },
    };
  }
  const late: ProgramEnd = { ...ok, end: 'timed_out', code: null };
  it.each([
    ['all well', [absent, ok, ok], ['check', 'put', 'check'], null],
    ['not there after all', [absent, ok, absent], ['check', 'put', 'check'], /found the secret absent/],
    ['timed out', [absent, late], ['check', 'put'], /took too long/],
  ])('%s', async (_what, ends, verbs, fails) => {
    const { run, calls } = scripted(...ends);
    const stored = (await sinkOf('/', 'p', run).reserve()).store(recordOf('42'), { key: NEW });
    if (fails === null) await stored;
    else await expect(stored).rejects.toThrow(fails);
    expect(calls.map(({ args }) => args)).toEqual(verbs.map((verb) => [verb, 'ci-deploy']));
    expect(calls.filter(({ args }) => args[0] === 'check').every(({ stdin }) => stdin === null)).toBe(true);
    expect(calls.map(({ timeoutMs }) => timeoutMs)).toEqual(verbs.map((verb) => (verb === 'check' ? 30_000 : 60_000)));
  });
});

describe('when time is short', () => {
  const stopped: ProgramEnd = { end: 'stopped', code: null, stderr: '', problem: 'the run was stopped' };
  /** A store that is told to stop with its n-th call. */
  async function storing(
    ends: readonly ProgramEnd[],
    stopAt: number,
  ): Promise<{ verbs: string[]; failure: string | null }> {
    const told = new AbortController();
    const verbs: string[] = [];
    const run: RunProgram = async ({ args: [verb = ''] }) => {
      verbs.push(verb);
      if (verbs.length === stopAt) told.abort();
      return Promise.resolve(ends[verbs.length - 1] ?? exited(0));
    };
    const reservation = await sinkOf('/', 'p', run).reserve();
    const failure = await reservation.store(recordOf('42'), { key: NEW }, told.signal).then(() => null, String);
    return { verbs, failure };
  }

  it('a put that is ended says why', async () => {
    const { failure } = await storing([exited(0), stopped], 2);
    expect(failure).toContain('exec:ci-deploy: put was stopped: the run was stopped');
  });

  it('a put that succeeded is believed without the look that was cut short', async () => {
    expect(await storing([exited(3), exited(0), stopped], 3)).toEqual({
      verbs: ['check', 'put', 'check'],
      failure: null,
    });
    const { failure } = await storing([exited(3), exited(0), exited(3)], 3);
    expect(failure).toContain('found the secret absent');
  });
});

describe('a store that failed', () => {
  const missing: ProgramEnd = { end: 'not_started', code: null, stderr: '', problem: 'ENOENT' };
  it.each<[string, readonly ProgramEnd[], RegExp | null]>([
    ['over an old value', [exited(0), exited(1)], /may hold the new secret: a sink program cannot restore the former/],
    ['of which nothing arrived', [exited(3), exited(1), exited(3)], null],
    [
      'of which something arrived',
      [exited(3), exited(1), exited(0)],
      /may hold the new secret: a sink program cannot remove a secret/,
    ],
    ['of a place that no longer tells', [exited(3), exited(1), exited(1)], /may hold the new secret/],
    ['whose program was gone', [exited(0), missing], null],
    ['whose last look went wrong', [exited(3), exited(0), exited(1), exited(0)], /may hold the new secret/],
  ])('%s', async (_what, ends, says) => {
    let calls = 0;
    const reservation = await sinkOf('/', 'p', async () => Promise.resolve(ends[calls++] ?? exited(9))).reserve();
    await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow(SinkFailure);
    if (says === null) await expect(reservation.revert()).resolves.toBeUndefined();
    else await expect(reservation.revert()).rejects.toThrow(says);
    expect(calls).toBe(ends.length);
  });
});

describe('the words for how a check ended', () => {
  const end = exited(1);
  it.each<[ProgramEnd, string]>([
    [end, 'check exited with code 1'],
    [{ ...end, stderr: ' \n \n' }, 'check exited with code 1'],
    [{ ...end, stderr: 'first\n  last words \n\n' }, 'check exited with code 1: last words'],
    [{ ...end, end: 'killed', code: null, problem: 'SIGTERM' }, 'check was killed (SIGTERM)'],
    [{ ...end, end: 'killed', code: null }, 'check was killed (unknown signal)'],
    [{ ...end, end: 'timed_out', code: null, stderr: 'waiting' }, 'check took too long and was stopped: waiting'],
    [{ ...end, end: 'stopped', code: null, problem: 'it is late' }, 'check was stopped: it is late'],
    [{ ...end, end: 'stopped', code: null }, 'check was stopped: its time is over'],
    [
      { ...end, end: 'not_started', code: null, problem: 'EACCES' },
      'check could not be run: it is not executable; run chmod +x on it (EACCES)',
    ],
    [
      { ...end, end: 'not_started', code: null, problem: 'E2BIG' },
      'check could not be run: the program did not start (E2BIG)',
    ],
    [{ ...end, end: 'not_started', code: null }, 'check could not be run: the program did not start (unknown)'],
  ])('%j', async (ended, reason) => {
    const sink = sinkOf('/', 'p', async () => Promise.resolve(ended));
    expect(await sink.check()).toEqual({ state: 'broken', holds: null, reason });
  });
});

describe('names for programs', () => {
  for (const name of ['ci-deploy', 'vault', 'a.b/c@x:1'])
    it(`accepts ${name}`, () => expect(execNameProblem(name)).toBeNull());
  for (const name of ['', '-rf', '--help', '../x', 'a/../b', 'a b', 'a\nb', '$(x)', '.x'])
    it(`refuses ${JSON.stringify(name)}`, () => expect(execNameProblem(name)).toEqual(expect.any(String) as string));
});
