// The name by which a replica is known where the file gives no id, and which a new one is given.
import { textOf } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';

/** The service takes no longer one. */
export const LONGEST_NAME = 64;

/** The written name, else the label; null where the file wants none (`name: null`). */
export function effectiveName({ name, spec, options }: DesiredResource): string | null {
  return options['named'] === false ? null : (textOf(spec['name']) ?? name);
}
