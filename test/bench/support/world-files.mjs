// The files of a fleet, as trueup and the parser read them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { names } from '../stub/world.mjs';

const SIZE = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 };

/** `projects` projects from number `first` on, with `branches` read_write computes each. */
function trueupFile({ projects, branches, first }) {
  const lines = ['version: 1', 'projects:'];
  for (let p = first; p < first + projects; p++) {
    lines.push(`  ${names.projectName(p)}:`, '    computes:');
    for (let b = 1; b <= branches; b++) {
      lines.push(
        `      c${b}:`,
        `        branch_id: ${names.branchId(p, b)}`,
        '        type: read_write',
        `        autoscaling_limit_min_cu: ${SIZE.autoscaling_limit_min_cu}`,
        `        autoscaling_limit_max_cu: ${SIZE.autoscaling_limit_max_cu}`,
        '        settings: { pg_settings: {} }',
        '        pooler_enabled: false',
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** One file holds 250,000 entries at most: this many projects of ten computes leave room. */
const PROJECTS_IN_A_FILE = 1000;

/** Writes the fleet into `folder`, in as many files as it takes; returns their size in bytes. */
export function writeFleet(folder, { projects, ...rest }) {
  let bytes = 0;
  for (let first = 1; first <= projects; first += PROJECTS_IN_A_FILE) {
    const text = trueupFile({ ...rest, first, projects: Math.min(PROJECTS_IN_A_FILE, projects - first + 1) });
    mkdirSync(join(folder, 'fleet'), { recursive: true });
    writeFileSync(join(folder, 'fleet', `${String(first).padStart(5, '0')}.yaml`), text);
    bytes += text.length;
  }
  return bytes;
}
