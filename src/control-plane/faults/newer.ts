// Members that only the newest replies of the service carry: a client that chokes on them chokes on tomorrow's service.
const OWNERS: Readonly<Record<string, (item: Item) => Item>> = {
  project: (item) => ({ ...item, slug: slugOf(item) }),
  branch: (item) => ({ ...item, slug: slugOf(item), project_slug: String(item['project_id']) }),
  endpoint: (item) => ({ ...item, hosts: { read_write: item['host'] }, group: { size: 1 } }),
};
const LISTS: Readonly<Record<string, string>> = { projects: 'project', branches: 'branch', endpoints: 'endpoint' };

type Item = Readonly<Record<string, unknown>>;

function slugOf({ name }: Item): string {
  return String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

/** The body of a reply with `slug`, `hosts` and `group` where the newest replies have them. */
export function withNewerMembers(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, enriched(name, member)]));
}

function enriched(name: string, member: unknown): unknown {
  const add = OWNERS[LISTS[name] ?? name];
  if (add === undefined || typeof member !== 'object' || member === null) return member;
  return Array.isArray(member) ? member.map((item: Item) => add(item)) : add(member as Item);
}
