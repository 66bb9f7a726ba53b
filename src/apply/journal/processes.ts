// Finds out which processes are alive, to tell a dead owner's lock from a living one's.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { errorCode } from '../../base/error-code.ts';

export interface Owner {
  readonly pid: number;
  /** When the process started, in the system's own notation; empty if the system does not show it. */
  readonly startTime: string;
  readonly host: string;
}

export interface Processes {
  readonly self: Owner;
  /** False only if the owner is certainly gone: it belongs to this machine, and no process has its id and start time. */
  isAlive(owner: Owner): boolean;
}

/** If the system hides start times, any process with the id of the owner counts as the owner. */
export function machineProcesses(): Processes {
  const self: Owner = { pid, startTime: startTimeOf(pid), host: machineName() };
  return {
    self,
    isAlive(owner) {
      if (owner.host !== self.host) return true;
      if (!exists(owner.pid)) return false;
      const startTime = startTimeOf(owner.pid);
      return startTime === '' || owner.startTime === '' || startTime === owner.startTime;
    },
  };
}

/** The host and, on Linux, the namespace of process ids, because two containers with one host name cannot see each other's processes. */
function machineName(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function exists(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    kill(id, 0);
    // A zombie (state Z or X) has ended and only waits for its parent.
    return !/^[ZX]$/.test(statOf(id)?.[0] ?? '');
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** The id of the boot and the clock ticks until the process started, from /proc; empty if /proc has neither. */
function startTimeOf(id: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // The 20th field after the name is the start time.
    const ticks = statOf(id)?.[19];
    return ticks === undefined ? '' : `${boot}:${ticks}`;
  } catch {
    return '';
  }
}

/** The fields of /proc/ID/stat after the process name, from the state on; null if there is no such file. */
function statOf(id: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in parentheses may itself contain parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
