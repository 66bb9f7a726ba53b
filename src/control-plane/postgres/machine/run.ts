// Runs a program to its end, as the user of Postgres, with a bare environment.
import { execFile } from 'node:child_process';

/** A user of the system. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** All that programs of Postgres see of an environment: none of ours, least of all its PG variables. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/** What it printed. Throws ProgramError. */
export function run(program: string, args: readonly string[], user?: SystemUser): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { ...user, cwd: '/', env: BARE_ENVIRONMENT, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new ProgramError(program, lastLines(stderr) || error.message, error));
    });
  });
}

/** A program that failed, with the last lines of what it said. */
class ProgramError extends Error {
  constructor(program: string, said: string, cause: Error) {
    super(`${program} failed: ${said}`, { cause });
    this.name = 'ProgramError';
  }
}

const MOST_LINES = 5;

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-MOST_LINES).join('; ');
}
