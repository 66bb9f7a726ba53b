// Limits the CPU time and memory for checking the input: a second thread watches the process, and ends it even when it is busy.

export interface Limits {
  readonly cpuMs: number;
  readonly bytes: number;
}

/** The limits of CPU time and memory, multiplied by `share`: enough to check any files within their bounds on one slow core. */
export function limitsOf(share: number): Limits {
  return { cpuMs: 20_000 * share, bytes: 960 * 1024 ** 2 * share };
}

export function startWatchdog(limits: Limits): () => void {
  // Loaded on demand: runs that read no files need none.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { user, system } = process.cpuUsage();
  const all = { ...limits, untilMs: (user + system) / 1000 + limits.cpuMs };
  const thread = new Worker(`(${lookOn.toString()})(${JSON.stringify(all)})`, { eval: true });
  thread.unref();
  return () => void thread.terminate();
}

/** Runs in a thread of its own, from its source text: it can use only its argument and what every thread has. */
function lookOn({ cpuMs, untilMs, bytes }: Limits & { readonly untilMs: number }): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  const { Session } = process.getBuiltinModule('node:inspector');
  const { setInterval: repeat, clearInterval: stop } = process.getBuiltinModule('node:timers');
  const timer = repeat(() => {
    const { user, system } = process.cpuUsage();
    const isLong = (user + system) / 1000 > untilMs;
    if (!isLong && process.memoryUsage.rss() <= bytes) return;
    stop(timer);
    const most = isLong ? `${cpuMs / 1000} s of processor time` : `${Math.round(bytes / 1024 ** 2)} MiB of memory`;
    writeSync(
      2,
      `error: checking these files takes more than ${most}\n  Split the files, or raise the bound with --max-entries. Nothing was changed.\n`,
    );
    // Only the main thread can end the process with a code, and only a debugger reaches that thread while it is busy. Closing descriptor
    // 2 suppresses the debugger message of Node.js.
    const session = new Session();
    session.connectToMainThread();
    const expression = "process.getBuiltinModule('node:fs').closeSync(2), process.exit(1)";
    session.post('Runtime.evaluate', { expression });
  }, 100);
}
