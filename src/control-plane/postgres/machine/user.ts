// Who the processes of Postgres run as: ourselves, or another user where we are root, which Postgres refuses to be.
import { userInfo } from 'node:os';
import { WorksError } from '../../engine/works.ts';
import { run } from './run.ts';
import type { SystemUser } from './run.ts';

function wrongUser(name: string, why: string): WorksError {
  return new WorksError(`--postgres-user ${JSON.stringify(name.slice(0, 60))}: ${why}`);
}

/** The user to run as; undefined where we may stay who we are. Throws WorksError. */
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
