// Runs a program to its end with a bare environment, as a user that is not root, which Postgres refuses to be.
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { WorksError } from '../../resources/engine/engine.ts';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The whole environment of Postgres programs: none of our variables, least of all PG variables. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/** The standard output of the program. Throws with the last lines of its standard error. */
export function run(program: string, args: readonly string[], user?: SystemUser): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { ...user, cwd: '/', env: BARE_ENVIRONMENT, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} failed: ${lastLines(stderr) || error.message}`, { cause: error }));
    });
  });
}

const MOST_LINES = 5;

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-MOST_LINES).join('; ');
}

function wrongUser(name: string, why: string): WorksError {
  return new WorksError(`--postgres-user ${JSON.stringify(name.slice(0, 60))}: ${why}`);
}

/** The user to run as; undefined when our own user will do. Throws WorksError. */
export async function userToBe(name: string): Promise<SystemUser | undefined> {
  if (userInfo().uid !== 0) return undefined;
  if (!/^[a-z_][\w.-]*\$?$/i.test(name)) throw wrongUser(name, 'this is no name of a user');
  const [uid, gid] = await Promise.all(['-u', '-g'].map((what) => idOf(name, what)));
  if (uid === undefined || gid === undefined) throw wrongUser(name, 'there is no such user');
  if (uid === 0) throw wrongUser(name, 'Postgres does not run as root; name another user');
  return { uid, gid };
}

async function idOf(name: string, what: string): Promise<number | undefined> {
  try {
    return Number((await run('/usr/bin/id', [what, name])).trim());
  } catch {
    return undefined;
  }
}
