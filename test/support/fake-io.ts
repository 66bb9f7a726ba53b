// A process that exists only in memory: what is written is kept, time is virtual, chance is seeded.
import { VirtualClock } from './virtual-clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { FaultPlan } from '../../src/control-plane/index.ts';
import type { Io, Output, StopSignal } from '../../src/cli/process/io.ts';

export interface FakeIo extends Io {
  readonly clock: VirtualClock;
  /** Everything written so far, by stream and in order of writing on both. */
  out(): string;
  err(): string;
  all(): string;
  /** Sends a signal to whoever listens. */
  signal(signal: StopSignal): void;
}

export interface FakeIoOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Answers to questions; with any given, there is a terminal to ask and to answer on. */
  readonly answers?: readonly string[];
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly seed?: number;
  readonly clock?: VirtualClock;
  readonly faults?: FaultPlan;
}

/** A virtual clock that stands still while files are read or written and child processes run. */
export function testClock(): VirtualClock {
  return clockBesides(['FSReqPromise', 'FSReqCallback', 'ProcessWrap', 'CloseReq']);
}

/** The same, and while connections are open or being made. */
export function socketClock(): VirtualClock {
  return clockBesides(['FSReqPromise', 'FSReqCallback', 'CloseReq', 'TCPConnectWrap', 'TCPSocketWrap']);
}

function clockBesides(names: readonly string[]): VirtualClock {
  const real = new Set(names);
  return new VirtualClock(undefined, () => process.getActiveResourcesInfo().some((name) => real.has(name)));
}

export function fakeIo(options: FakeIoOptions): FakeIo {
  const written: { readonly stream: 'out' | 'err'; readonly text: string }[] = [];
  const answers = [...(options.answers ?? [])];
  const listeners = new Set<(signal: StopSignal) => void>();
  const leavers = new Set<() => void>();
  const output = (stream: 'out' | 'err'): Output => ({
    async write(text) {
      written.push({ stream, text });
    },
    writeLast(text) {
      written.push({ stream, text });
    },
    isTerminal: options.terminal ?? false,
    columns: options.columns ?? 80,
    closed: () => false,
    failure: () => null,
    used: () => written.some((piece) => piece.stream === stream && piece.text !== ''),
  });
  const textOf = (stream?: 'out' | 'err'): string =>
    written
      .filter((piece) => stream === undefined || piece.stream === stream)
      .map((piece) => piece.text)
      .join('');
  return {
    stdout: output('out'),
    stderr: output('err'),
    stdinIsTerminal: options.answers !== undefined,
    canAsk: options.answers !== undefined,
    readStdin: async () => new TextEncoder().encode(options.stdin ?? ''),
    async question(prompt) {
      written.push({ stream: 'err', text: prompt });
      const answer = answers.shift() ?? null;
      written.push({ stream: 'err', text: `${answer ?? ''}\n` });
      return answer;
    },
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onExit(listener) {
      leavers.add(listener);
    },
    watch: () => undefined,
    abort(code) {
      leavers.forEach((leave) => leave());
      throw new Error(`aborted with ${code}`);
    },
    die() {
      throw new Error('died');
    },
    // Whatever is kept goes with the folder of the test.
    env: { HOME: options.cwd, ...options.env },
    cwd: options.cwd,
    clock: options.clock ?? testClock(),
    random: seededRandom(options.seed ?? 1),
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    said: [],
    out: () => textOf('out'),
    err: () => textOf('err'),
    all: () => textOf(),
    signal: (signal) => listeners.forEach((listener) => listener(signal)),
  };
}
