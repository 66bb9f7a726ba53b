// Writes the README beside the benchmarks: targets, the machine, and the figures of one run.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import process from 'node:process';
import { format } from 'prettier';

export async function writePage(rows) {
  const figures = rows.map(({ name, runs, requests, computes, seconds, cpuSeconds, megabytes }) => [
    name,
    runs,
    requests,
    computes,
    `${seconds.toFixed(2)} s`,
    `${cpuSeconds.toFixed(2)} s`,
    `${megabytes.toFixed(0)} MB`,
  ]);
  const parts = [
    '# Performance',
    `This page shows how long the usual jobs take. \`npm run bench\` wrote it on ${new Date().toISOString().slice(0, 10)}. Run it again before you quote a figure.`,
    '## Targets',
    table(['job', 'at most', 'measured', ''], targets(Object.fromEntries(rows.map((row) => [row.key, row])))),
    '## Figures',
    `Machine: ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.version}; source ${commit()}.`,
    'The service is a stub: one process, `node:http`, on the loopback. It waits 20 ms before each answer, unless a job says otherwise, and counts requests and computes. The figures are medians. CPU and memory are those that the process itself reports at its end. trueup runs with `--requests-per-minute 1000000` and `--parallelism 32`.',
    'Wall times depend on the machine and on its load. Requests do not, and tests guard them on every change.',
    table(['job', 'runs', 'requests', 'computes', 'wall', 'CPU', 'memory'], figures),
  ];
  const page = new URL('README.md', import.meta.url);
  writeFileSync(page, await format(parts.join('\n\n'), { parser: 'markdown' }));
}

/** Each target beside the figure of this run, met or missed. */
function targets({ node, version, plan, createSlow, planLarge, validateLarge }) {
  const rows = [
    ['plan of 100 projects without a change, requests', plan.requests, 201, ''],
    ['create 100 computes, 5 s operations, requests', createSlow.requests, 165, ''],
    ['plan of 100,000 computes, CPU of `validate`', planLarge.cpuSeconds / validateLarge.cpuSeconds, 1.6, ' ×'],
    ['plan of 100,000 computes, memory', planLarge.megabytes, 1000, ' MB'],
    ['plan of 100,000 computes, CPU of 1,000', planLarge.cpuSeconds / plan.cpuSeconds, 110, ' ×'],
    ['`--version`, of `node -e 0`', version.seconds / node.seconds, 2, ' ×'],
  ];
  return rows.map(([job, value, most, unit]) => {
    const figure = Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0);
    return [job, `${most}${unit}`, `${figure}${unit}`, value <= most ? 'met' : '**missed**'];
  });
}

function table(heading, rows) {
  return [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function commit() {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}
