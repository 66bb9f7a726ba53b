// Limits CPU time and memory while input is checked. A second thread watches the process and can end it while it is busy.

export interface Limits {
  readonly cpuMs: number;
  readonly bytes: number;
}

/** The limits of CPU time and memory, times `share`. They suffice for any valid files on one slow core. */
export function limitsOf(share: number): Limits {
  return { cpuMs: 20_000 * share, bytes: 960 * 1024 ** 2 * share };
}

export function startWatchdog(limits: Limits): () => void {
  // Loaded on demand, because runs that read no files need no thread.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { user, system } = process.cpuUsage();
  const all = { ...limits, untilMs: (user + system) / 1000 + limits.cpuMs };
  const thread = new Worker(`(${lookOn.toString()})(${JSON.stringify(all)})`, { eval: true });
  thread.unref();
  return () => void thread.terminate();
}

/** Runs in another thread from its source text, so it can use only its argument and Node.js's built-in modules. */
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
    // Only the main thread can set the exit code, and only a debugger can run code in it while it is busy. Closing
    // descriptor 2 hides the debugger's message.
    const session = new Session();
    session.connectToMainThread();
    const expression = "process.getBuiltinModule('node:fs').closeSync(2), process.exit(1)";
    session.post('Runtime.evaluate', { expression });
  }, 100);
}
