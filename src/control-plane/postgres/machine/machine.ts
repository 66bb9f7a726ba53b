// The machine as Postgres finds it here: programs, user, folders, time, and who looks after the processes.
import type { Clock } from '../../../base/time/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { Places } from './places.ts';
import type { Programs } from './programs.ts';
import type { SystemUser } from './run.ts';
import type { Watchman } from './watchman.ts';

export interface Machine {
  readonly programs: Programs;
  /** Absent where processes run as we do. */
  readonly user: SystemUser | undefined;
  readonly places: Places;
  readonly watchman: Watchman;
  /** Real time: processes know no other. */
  readonly clock: Clock;
  readonly random: Random;
  /** Password of the superuser that the control plane alone knows. */
  readonly adminPassword: string;
  /** Password of the user with which poolers look roles up. */
  readonly poolerPassword: string;
}

/** The superuser of every Postgres here. */
export const ADMIN = 'cloud_admin';
/** The user of the poolers: it may call the function that looks a role up, and nothing else. */
export const POOLER = 'cloud_pooler';
/** The group that every API role is a member of. It is no superuser, as with the service. */
export const SUPERUSER_GROUP = 'neon_superuser';
