// Implements a sink by a program of the operator: trueup runs it with the arguments `check NAME`, `put NAME` or `forget NAME`.
import { unreachable } from '../../base/assert.ts';
import { inert } from '../../base/text/inert.ts';
import type { ProgramEnd, RunProgram } from './run-program.ts';
import {
  otherOwner,
  parseTold,
  recordText,
  type RecordShape,
  SinkFailure,
  type Reservation,
  type SecretSink,
  type SinkState,
} from './sink.ts';

const CHECK_TIMEOUT_MS = 30_000;
const PUT_TIMEOUT_MS = 60_000;
/** The exit code of `check` if the store has no such secret. */
const ABSENT = 3;

interface ExecSinkOptions {
  /** A name that `execNameProblem` accepts. */
  readonly name: string;
  readonly shape: RecordShape;
  /** A path, or a name on PATH; runs without a shell. */
  readonly program: string;
  readonly run: RunProgram;
  /** The environment of the program, without trueup's credentials. */
  readonly env: Readonly<Record<string, string>>;
  readonly workDir: string;
}

type Call = (verb: 'check' | 'put' | 'forget', stdin: string | null, signal?: AbortSignal) => Promise<ProgramEnd>;

export function execNameProblem(name: string): string | null {
  if (/^[A-Za-z0-9_][A-Za-z0-9._@+=:/-]{0,199}$/.test(name) && !name.split('/').includes('..')) return null;
  return 'use letters, digits and ._@+=:/- (no dot or dash at the start)';
}

export function execSink(options: ExecSinkOptions): SecretSink {
  const label = `exec:${options.name}`;
  const call: Call = async (verb, stdin, signal) =>
    options.run({
      program: options.program,
      args: [verb, options.name],
      stdin,
      env: options.env,
      folder: options.workDir,
      timeoutMs: verb === 'check' ? CHECK_TIMEOUT_MS : PUT_TIMEOUT_MS,
      signal,
    });
  const { shape } = options;
  const check = async (signal?: AbortSignal): Promise<SinkState> => stateOf(shape, await call('check', null, signal));

  return {
    label,
    check,
    async reserve(signal) {
      const state = await check(signal);
      if (state.state === 'broken') throw new SinkFailure(label, state.reason ?? 'its check failed');
      return reservation({ label, shape, call }, state);
    },
    async forget(signal) {
      const end = await call('forget', null, signal);
      if (!succeeded(end)) throw new SinkFailure(label, `forget ${endWords(end)}`);
    },
  };
}

interface Place {
  readonly label: string;
  readonly shape: RecordShape;
  readonly call: Call;
}

function reservation({ label, shape, call }: Place, before: SinkState): Reservation {
  const wasEmpty = before.state === 'absent';
  let state: 'untouched' | 'may hold' | 'keeps' = 'untouched';
  return {
    async store(facts, secrets, signal) {
      const other = otherOwner(shape, before.holds, facts);
      if (other !== null) throw new SinkFailure(label, `the sink holds the secret of ${other}`);
      const end = await call('put', recordText(shape, facts, secrets), signal);
      if (end.end !== 'not_started') state = 'may hold';
      // The program received the secret and may print it, so the error leaves out the program's message.
      const stderr = end.stderr === '' ? '' : 'its message is left out, because it may show the secret';
      if (!succeeded(end)) throw new SinkFailure(label, `put ${endWords({ ...end, stderr })}`);
      const looked = await call('check', null, signal);
      // If the end of the run aborts this check, the success of `put` still counts.
      const isCutShort = looked.end !== 'exited' && signal?.aborted === true;
      const found = stateOf(shape, looked);
      if (!isCutShort && found.state !== 'stored')
        throw new SinkFailure(
          label,
          `the program reported success for put, but a check afterwards found the secret ${found.state}`,
        );
      state = 'keeps';
    },
    async revert(signal) {
      if (state === 'untouched') return;
      if (wasEmpty && stateOf(shape, await call('check', null, signal)).state === 'absent') return;
      const cannot = wasEmpty ? 'remove a secret' : 'restore the former secret';
      throw new SinkFailure(label, `the sink ${state} the new secret: a sink program cannot ${cannot}`);
    },
    release: async () => Promise.resolve(),
  };
}

function succeeded(end: ProgramEnd): boolean {
  return end.end === 'exited' && end.code === 0;
}

function stateOf(shape: RecordShape, end: ProgramEnd): SinkState {
  if (succeeded(end)) return { state: 'stored', holds: parseTold(shape, end.stdout ?? new Uint8Array()), reason: null };
  if (end.end === 'exited' && end.code === ABSENT) return { state: 'absent', holds: null, reason: null };
  return { state: 'broken', holds: null, reason: `check ${endWords(end)}` };
}

const START_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or its interpreter is missing',
  EACCES: 'it is not executable; run chmod +x on it',
  ENOEXEC: 'it is not a program; a script begins with #! and its interpreter',
};

function endWords({ end, code, problem, stderr }: ProgramEnd): string {
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  const words = last === '' ? '' : `: ${inert(last.replace(LOGIN, '…').replace(TOKEN, '…'), 160)}`;
  switch (end) {
    case 'exited':
      return `exited with code ${code}${words}`;
    case 'killed':
      return `was killed (${problem ?? 'unknown signal'})${words}`;
    case 'timed_out':
      return `took too long and was stopped${words}`;
    case 'stopped':
      return `was stopped: ${problem ?? 'its time is over'}${words}`;
    case 'not_started':
      return `could not be run: ${START_WORDS[problem ?? ''] ?? 'the program did not start'} (${problem ?? 'unknown'})`;
    default:
      return unreachable(end);
  }
}

const LOGIN = /(?<=:\/\/)[^\s/@]+(?=@)/g;
/** Matches texts that may be a secret in the message of a program: long tokens, and shorter tokens with both letters and digits. */
const TOKEN = /[\w+=/-]{20,}|(?=[a-z_+=/-]*\d)(?=[\d_+=/-]*[a-z])[\w+=/-]{12,}/gi;
