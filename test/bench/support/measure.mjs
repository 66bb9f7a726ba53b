// Runs one command and measures it from outside: wall time, processor time of all its processes, peak of their memory.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const SAMPLE_MS = 50;
// The shell prints the processor time of the children it has waited for, to the millisecond.
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/**
 * `[program, ...args]` in `cwd` with exactly `env`; resolves with `{ code, seconds, cpuSeconds, megabytes, stdout, stderr }`.
 * `megabytes` is the largest sum of resident memory seen, sampled every 50 ms; pages that processes share count in each.
 */
export function measure(command, { cwd, env, timeoutMs = 600_000 }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn('bash', ['-c', TIMED, 'bench', ...command], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const texts = { stdout: '', stderr: '', times: '' };
    const gather = (stream, name) =>
      stream.setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
      });
    gather(child.stdout, 'stdout');
    gather(child.stderr, 'stderr');
    gather(child.stdio[3], 'times');
    const peak = { kilobytes: 0 };
    const sampling = setInterval(() => {
      peak.kilobytes = Math.max(peak.kilobytes, residentBelow(child.pid));
    }, SAMPLE_MS);
    const deadline = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    let seconds;
    child.once('exit', () => {
      seconds = (performance.now() - startedAt) / 1000;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(sampling);
      clearTimeout(deadline);
      resolve({ code, seconds, cpuSeconds: cpuSecondsOf(texts.times), megabytes: peak.kilobytes / 1024, ...texts });
    });
  });
}

/** The second line of `times`: user and system time of the children, as `0m1.234s 0m0.056s`. */
function cpuSecondsOf(text) {
  const [, , line = ''] = text.split('\n').length > 1 ? ['', ...text.split('\n')] : [];
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + 60 * minutes + Number(rest),
    0,
  );
}

/**
 * The most that each process below one has held, in kilobytes; the one itself, the shell that times, is left out. They are found from parent
 * to child: a look at every process of the machine would take processor time from what is measured.
 */
function residentBelow(leader) {
  let sum = 0;
  const pids = childrenOf(leader);
  for (const pid of pids) {
    sum += Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
    pids.push(...childrenOf(pid));
  }
  return sum;
}

/** Each thread has children of its own. */
function childrenOf(pid) {
  const lists = threadsOf(pid).map((thread) => textOf(`/proc/${pid}/task/${thread}/children`));
  return lists.flatMap((list) => list.split(' ').filter((child) => child !== ''));
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty where the process has ended between two looks. */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
