// What the contenders are given to read: the same fleet, in each one's own words.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { names } from '../stub/world.mjs';

const SIZE = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 };

/**
 * The projects from `first` on, `projects` of them, with `branches` read_write computes each, as a file of trueup; every
 * `everyNth` compute wants another size.
 */
function trueupFile({ projects, branches, first = 1, everyNth = 0 }) {
  const lines = ['version: 1', 'projects:'];
  for (let p = first; p < first + projects; p++) {
    lines.push(`  ${names.projectName(p)}:`, '    computes:');
    for (let b = 1; b <= branches; b++) {
      const count = (p - 1) * branches + b;
      const max = everyNth > 0 && count % everyNth === 0 ? 2 : SIZE.autoscaling_limit_max_cu;
      lines.push(
        `      c${b}:`,
        `        branch_id: ${names.branchId(p, b)}`,
        '        type: read_write',
        `        autoscaling_limit_min_cu: ${SIZE.autoscaling_limit_min_cu}`,
        `        autoscaling_limit_max_cu: ${max}`,
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

/** Ten replicas on one branch: what has no place to protect it. */
export function writeReplicaFile(path, count) {
  const lines = ['version: 1', 'projects:', `  ${names.projectName(1)}:`, '    computes:'];
  for (let n = 1; n <= count; n++) lines.push(`      r${n}: { branch_id: ${names.branchId(1, 1)}, type: read_only }`);
  writeFileSync(path, `${lines.join('\n')}\n`);
}
