// Which processes are alive: to tell a dead owner's lock from a living one's.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { errorCode } from '../../base/error-code.ts';

/** A process among all others. */
export interface Owner {
  readonly pid: number;
  /** When the process started, as the system shows it; empty if it does not. */
  readonly startTime: string;
  readonly host: string;
}

export interface Processes {
  /** This process. */
  readonly self: Owner;
  /** False only when the owner is surely gone: one of this machine, and no process of its id and start time. */
  isAlive(owner: Owner): boolean;
}

/** The processes of this machine. Where the system does not tell start times, a process of the same id counts as the owner. */
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

/** The host, and where Linux tells it, which process ids are meant: those of two containers say nothing of each other, whatever these are called. */
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
    // A zombie (Z, X) has ended and only waits for its parent.
    return !/^[ZX]$/.test(statOf(id)?.[0] ?? '');
  } catch (error) {
    // EPERM: there is one, of another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Boot and clock ticks from boot to the start of the process, where /proc tells them. */
function startTimeOf(id: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // The start time is the 20th field.
    const ticks = statOf(id)?.[19];
    return ticks === undefined ? '' : `${boot}:${ticks}`;
  } catch {
    return '';
  }
}

/** The fields of a process that Linux tells after its name, the state first; null where there is no such thing. */
function statOf(id: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in parentheses may hold anything, parentheses too.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
