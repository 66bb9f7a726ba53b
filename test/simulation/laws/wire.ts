// Laws on each exchange: with which credential, about whom, and that the service keeps its contract when no fault is on.
import type { WireEntry } from '../world/site.ts';
import type { Story } from './story.ts';

export function wireViolations(story: Story): readonly string[] {
  return story.site.wire.flatMap((entry) => [...strangeCredential(story, entry), ...strangeId(story, entry)]);
}

/** I18: a run comes with its own key; another one it only tries, by a read, or uses to remove that very key. */
function strangeCredential({ site }: Story, { run, method, path, key }: WireEntry): readonly string[] {
  if (key === site.ownKeyId || (key !== null && method === 'GET')) return [];
  if (key !== null && method === 'DELETE' && path === `/api_keys/${key}`) return [];
  return [`run ${run}: ${method} ${path} came with ${key === null ? 'no key that it knows' : `key ${key}`}`];
}

const NAMED = /^\/(?:api_keys|projects\/[^/]+\/(?:endpoints|branches))\/([^/?]+)/;

/** I24: a write names what is or was there, to the last digit of its id. */
function strangeId({ site, native, leniency }: Story, { run, method, path }: WireEntry): readonly string[] {
  // What a service only said that it made is removed by the id that it told.
  if (method === 'GET' || (leniency.pretends && method === 'DELETE')) return [];
  const id = NAMED.exec(path)?.[1];
  if (id === undefined || native.has(id) || site.plane.ledger().some((entry) => entry.id === id)) return [];
  return [`run ${run}: ${method} ${path} names what never was`];
}

const PLAIN = new Set(Reflect.ownKeys(Object.prototype));

/** I19: nothing that came by has become a property of all objects. */
export function polluted(names: readonly (string | symbol)[] = Reflect.ownKeys(Object.prototype)): readonly string[] {
  return names.flatMap((name) => (PLAIN.has(name) ? [] : [`all objects have got a property ${String(name)}`]));
}

/** I25: without faults each request is answered, and never by an error of the service. */
export function unfaithful({ site }: Story, run: number): readonly string[] {
  return site.wire.flatMap(({ run: by, method, path, end }) => {
    if (by !== run || (typeof end === 'number' && end < 500)) return [];
    return [`run ${run}: without faults, ${method} ${path} was answered ${end}`];
  });
}
