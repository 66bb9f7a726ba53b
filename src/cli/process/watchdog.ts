// Bounds what a run may use while it judges what it was given: a thread beside it looks on, and ends it however busy it is.

export interface Limits {
  readonly cpuMs: number;
  readonly bytes: number;
}

/** Enough for everything within the bounds of the files, on one core of a small machine; `share`: by how much more than usual these are. */
export function limitsOf(share: number): Limits {
  return { cpuMs: 20_000 * share, bytes: 960 * 1024 ** 2 * share };
}

/** Begins to look on; the returned function ends that. */
export function startWatchdog(limits: Limits): () => void {
  // Loaded on demand: runs that read no files need none.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { user, system } = process.cpuUsage();
  const all = { ...limits, untilMs: (user + system) / 1000 + limits.cpuMs };
  const thread = new Worker(`(${lookOn.toString()})(${JSON.stringify(all)})`, { eval: true });
  thread.unref();
  return () => void thread.terminate();
}

/** Runs in a thread of its own, from its text: it reaches nothing but its argument and what every thread has. */
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
    // Only the main thread can end the process with a code, and only a debugger reaches it while it is busy. Node.js's message about the
    // debugger is suppressed.
    const session = new Session();
    session.connectToMainThread();
    const expression = "process.getBuiltinModule('node:fs').closeSync(2), process.exit(1)";
    session.post('Runtime.evaluate', { expression });
  }, 100);
}
