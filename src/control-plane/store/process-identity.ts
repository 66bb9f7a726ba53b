// Separates a process from another one that got the same pid later.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { errorCode } from '../../base/error-code.ts';

/** The process that we are. */
export const ownPid: number = pid;

/** False for a process that has ended and is only waiting for its parent to take note of it. */
export function isAlive(id: number): boolean {
  try {
    kill(id, 0);
    return !/^[ZX]$/.test(statFields(id)?.[0] ?? '');
  } catch (error) {
    // It exists but belongs to someone else.
    return errorCode(error) === 'EPERM';
  }
}

/** When the process started, as the system words it; null if that is unknown. */
export function startOfProcess(id: number): string | null {
  try {
    // The 20th of the fields is the start time in ticks since boot.
    const ticks = statFields(id)?.[19];
    if (ticks !== undefined) return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    // Without the id of the boot, ticks say nothing.
  }
  return toldByPs(id, 'lstart') || null;
}

/** Fields of a process on Linux after the closing parenthesis of its command's name, the state first; null elsewhere. */
function statFields(id: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Output of `ps` for a process, without /proc; possibly empty. */
export function toldByPs(id: number, column: 'lstart' | 'command'): string {
  try {
    return execFileSync('/bin/ps', ['-o', `${column}=`, '-p', String(id)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
