// Each row of the plan's impact, on held connections: what the plan says of a change is what happens when the built program applies it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { committedPage, pageAt } from '../../docs/committed.ts';
import { cleanUp, newFolder, run } from '../../e2e/support/program.ts';
import { table } from '../members/page.ts';
import { MAIN, PRIMARY, SHOP, STAGING } from '../world.ts';
import { missingPostgres, openDesk } from './served.ts';

/** Stands for the time at which the row is played. */
const NOW = '(now)';

interface Row {
  readonly name: string;
  /** Attributes of the compute besides those that it has. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Request that makes the compute what it was before. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** Another compute than the primary of the branch main. */
  readonly beside?: boolean;
}

const ROWS: readonly Row[] = [
  { name: 'size, fixed', change: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 } },
  { name: 'size, the maximum alone', change: { autoscaling_limit_max_cu: 2 } },
  { name: '`suspend_timeout_seconds`', change: { suspend_timeout_seconds: 3600 } },
  { name: '`name`', change: { name: 'the-primary' } },
  { name: '`settings.pg_settings`', change: { settings: { pg_settings: { work_mem: '5MB' } } } },
  { name: '`pooler_enabled`', change: { pooler_enabled: true } },
  { name: '`passwordless_access`', change: { passwordless_access: false } },
  { name: 'a replica beside it', change: {}, beside: true },
  { name: 'restart', change: { restart: { not_before: NOW } } },
  { name: '`disabled: true`', change: { disabled: true } },
  { name: '`disabled: false`', change: { disabled: false }, before: { disabled: true } },
  { name: '`branch`', change: { branch: 'staging' } },
  { name: '`state: absent`', change: { state: 'absent', name: 'the-primary' } },
];

/** What was seen, in the words of the plan. */
interface Seen {
  readonly dropped: boolean;
  readonly refused: boolean;
  readonly branch: unknown;
  readonly maxConnections: number | undefined;
}

interface Planned {
  readonly impact: readonly string[];
  readonly impact_details: {
    readonly max_connections?: { readonly after: number };
    readonly other_data?: { readonly after: string };
  };
}

afterAll(cleanUp);

describe.skipIf(missingPostgres !== undefined)('the impact that a plan tells', { timeout: 120_000 }, () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let folder: string;
  /** As it was seen last. */
  let maxConnections = 112;
  const told: (readonly [name: string, impact: readonly string[], seen: Seen])[] = [];
  beforeAll(async () => {
    desk = await openDesk();
    folder = newFolder('impact');
    await mark(await desk.uri(), MAIN);
    const asked = { endpoint: { branch_id: STAGING, type: 'read_write' } };
    const { endpoint } = await desk.done('POST', `${SHOP}/endpoints`, asked);
    await mark(await desk.uri({ endpoint_id: endpoint.id }), STAGING);
    await desk.done('DELETE', `${SHOP}/endpoints/${endpoint.id}`);
  });
  afterAll(() => desk.close());

  const mark = (uri: string, branch: string): Promise<unknown> =>
    desk.rows(uri, `CREATE TABLE mark AS SELECT '${branch}' AS branch`);

  /** Writes the file that wants the row, and gives the arguments and surroundings of the program. */
  const trueup = async (args: readonly string[]): Promise<{ readonly out: string }> => {
    const { url, key } = desk.served;
    const env = { TRUEUP_API_KEY: key, TRUEUP_BASE_URL: `${url}/api/v2` };
    const { code, out, err } = await run(args, { cwd: folder, env });
    if (code !== 0) throw new Error(`trueup ${args.join(' ')}: ${code}\n${out}${err}`);
    return { out };
  };
  const write = ({ change, beside = false }: Row): void => {
    const primary = { id: PRIMARY, branch: 'main' };
    const computes = beside
      ? { primary, reports: { branch: 'main', type: 'read_only' } }
      : { primary: { ...primary, ...change } };
    const shop = { branches: { main: MAIN, staging: STAGING }, computes };
    const text = JSON.stringify({ version: 1, projects: { shop } }).replace(NOW, new Date().toISOString());
    writeFileSync(join(folder, 'trueup.yaml'), text);
  };
  const look = async (uri: string, held: readonly Client[]): Promise<Seen> => {
    const alive = (await Promise.allSettled(held.map((client) => client.query('SELECT 1')))).map(
      ({ status }) => status === 'fulfilled',
    );
    // Whoever holds a connection in a transaction is served as whoever is between two of them.
    expect(new Set(alive).size).toBeLessThanOrEqual(1);
    const refusal = await desk.refusal(uri);
    const first = async (query: string): Promise<unknown> =>
      refusal === undefined ? (await desk.rows(uri, query))[0] : undefined;
    const connections = await first('SHOW max_connections');
    return {
      dropped: alive.length > 0 && alive[0] === false,
      refused: refusal !== undefined,
      branch: await first('SELECT branch FROM mark'),
      maxConnections: connections === undefined ? undefined : Number(connections),
    };
  };

  it.each(ROWS)('$name', async (row) => {
    const { before = {}, name } = row;
    await desk.done('PATCH', `${SHOP}/endpoints/${PRIMARY}`, { endpoint: { disabled: false, ...before } });
    const uri = await desk.uri();
    const isOpen = before['disabled'] !== true;
    const held = isOpen ? [await desk.connect(uri), await desk.connect(uri)] : [];
    await held[1]?.query('BEGIN');
    write(row);
    await trueup(['plan', '-o', 'saved.json']);
    const saved = JSON.parse(readFileSync(join(folder, 'saved.json'), 'utf8')) as {
      readonly resource_changes: readonly { readonly trueup: Planned & { readonly action: string } }[];
    };
    const changes = saved.resource_changes.filter(({ trueup: { action } }) => action !== 'none');
    expect(changes).toHaveLength(1);
    const [planned] = changes.map((change) => change.trueup);
    await trueup(['apply', 'saved.json']);
    // The host is the same; who may come in is up to the branch that it now serves.
    const seen = await look(await desk.uri().catch(() => uri), held);
    const impact = planned?.impact ?? [];
    const gone = impact.includes('permanent');
    const refused = gone || impact.includes('refuses_connections');
    expect(seen).toEqual({
      dropped: impact.includes('drops_connections'),
      refused,
      branch: refused ? undefined : (planned?.impact_details.other_data?.after ?? MAIN),
      maxConnections: refused ? undefined : (planned?.impact_details.max_connections?.after ?? maxConnections),
    });
    maxConnections = seen.maxConnections ?? maxConnections;
    told.push([name, impact, seen]);
    if (row.change['branch'] !== undefined)
      await desk.done('PATCH', `${SHOP}/endpoints/${PRIMARY}`, { endpoint: { branch_id: MAIN } });
  });

  it('is the table of the documentation', async () => {
    const page = 'test/control-plane/README.md';
    const rows = told.map(([name, impact, seen]) => [name, impact.join(', '), ...wordsOf(seen)]);
    const between = /(?<=<!-- impact, written by its test -->\n\n)[^]*(?=\n<!-- end of impact -->)/;
    const { committed, current } = await committedPage(page, pageAt(page).replace(between, `${table(HEAD, rows)}\n`));
    expect(committed).toBe(current);
  });
});

function wordsOf({ dropped, refused, branch, maxConnections }: Seen): string[] {
  const served = branch === MAIN ? 'main' : branch === STAGING ? 'staging' : '';
  return [dropped ? 'dropped' : 'live on', refused ? 'refused' : 'served', served, String(maxConnections ?? '')];
}

const HEAD = ['Changed', 'The plan says', 'Held connections', 'New ones', 'Data of', '`max_connections`'];
