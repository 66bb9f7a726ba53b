// Connections in the file: what may be written, what it means, and what can be checked without the API.
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../config/kind-section.ts';
import { checkNames } from '../shared/branch-contents.ts';
import { error } from '../shared/problems.ts';
import { targetsOf } from '../shared/secret-places.ts';
import { attributes, PLACE } from './live-connection.ts';

export const section: KindSection = {
  ...PLACE,
  attributes,
  meaning,
  check: (resources, context) => checkNames(resources, context, { role: 'role', database: 'database' }),
  written: () => [],
};

/** Options: `secret`, the places. Where it leads is known when its branch and its primary are there. */
function meaning({ value, parent }: Entry): EntryMeaning {
  const problems: EntryProblem[] = [];
  const secret = targetsOf(value['secret'], 'secret', problems);
  const isAbsent = value['state'] === 'absent';
  const needed = isAbsent ? ['secret'] : ['role', 'database', 'secret'];
  for (const key of needed) if (value[key] === undefined) problems.push(missing(key, isAbsent));
  const { role, database, pooled = false } = value;
  return {
    spec: {
      ...(role === undefined ? {} : { role }),
      ...(database === undefined ? {} : { database }),
      pooled,
      ...(parent === null ? {} : { host: { ref: parent, field: 'host' } }),
    },
    options: secret.length === 0 ? {} : { secret },
    problems,
  };
}

function missing(key: string, isAbsent: boolean): EntryProblem {
  const what = key === 'secret' ? 'a sink (`secret`)' : `its ${key}`;
  const message = isAbsent ? '`secret` is missing: it names the sink to clear' : `a connection needs ${what}`;
  return error([], 'incomplete_connection', message, {
    hint: key === 'secret' ? 'Write for example `secret: { file: shop-app.json }`.' : `Write \`${key}:\`.`,
    atKey: true,
    missing: true,
  });
}
