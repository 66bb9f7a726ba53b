// kill -9 at the failpoints of an apply that makes a whole project: run again, the same end, nothing twice, every secret in its place.
import { chmodSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RUN_POINTS, type RunPoint } from '../../src/apply/run/run.ts';
import { isFullSize } from '../support/full-size.ts';
import { deeds, openDesk, type Desk } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { APPLY } from './support/recovery.ts';
import { startServer, type Server } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

type Point = readonly [point: RunPoint, nth: number];

/** How often an apply passes each point, at the least. A key is proved and removed; what can be read again is neither. */
const TIMES: Readonly<Partial<Record<RunPoint, number>>> = {
  approved: 1,
  locked: 1,
  reserved: 6,
  intended: 17,
  answered: 15,
  settling: 1,
  acked: 15,
  waiting: 15,
  stored: 6,
  ended: 15,
  executed: 1,
  verified: 1,
  leaving: 1,
};

/** Moments of their own: a branch, a role, its place, a connection. */
const SAMPLE: readonly Point[] = [
  ['reserved', 2],
  ['answered', 2],
  ['settling', 1],
  ['stored', 6],
];

const POINTS: readonly Point[] = isFullSize
  ? Object.entries(TIMES).flatMap(([point, times]) =>
      Array.from({ length: times }, (_, at): Point => [point as RunPoint, at + 1]),
    )
  : SAMPLE;

const nameOf = ([point, nth]: Point): string => `${point}${nth}`;
const CLEAN = 'clean';

let server: Server;
beforeAll(async () => {
  const names = [CLEAN, ...POINTS.map(nameOf)];
  const projects = names.map((name) => ({
    id: `${name}-000001`,
    name,
    branches: [{ id: `br-${name}-main`, name: 'main', default: true }],
  }));
  server = await startServer({ world: { version: 1, projects } });
  await server.addFaults({
    when: { method: 'POST', path: '/projects/settling1-000001/branches/br-settling1-main/databases' },
    times: 1,
    fault: { kind: 'after-commit-before-reply' },
  });
});
afterAll(cleanUp);

describe.concurrent(
  'a project of three branches, five computes, four roles, three databases and two connections',
  () => {
    it('is made by one apply', async () => {
      const desk = deskOf(CLEAN);
      const applied = await desk.run([...APPLY, ...vault(desk)]);
      expect(applied.code, applied.out + applied.err).toBe(0);
      await isWhole(desk, CLEAN);
    });

    it.each(POINTS.map((point) => ({ name: nameOf(point), point })))(
      'is whole after a death at $name',
      async (killed) => {
        const [point, nth] = killed.point;
        const desk = deskOf(killed.name);
        const args = [...APPLY, ...vault(desk)];
        const dead = await desk.run(args, { env: { TRUEUP_FAILPOINT: `${point}:${nth}` } });
        expect(dead.signal, dead.out + dead.err).toBe('SIGKILL');
        const next = await desk.run(args);
        expect(next.code, next.out + next.err).toBe(0);
        await isWhole(desk, killed.name);
      },
    );
  },
);

it('each failpoint that such a run passes is listed', () => {
  expect(Object.keys(RUN_POINTS).filter((point) => !(point in TIMES))).toEqual(['proved', 'removing']);
});

function deskOf(name: string): Desk {
  const desk = openDesk(server, name);
  desk.write('trueup.yaml', fileOf(name));
  desk.write(desk.tool('vault.sh'), VAULT);
  chmodSync(desk.tool('vault.sh'), 0o755);
  return desk;
}

const vault = (desk: Desk): readonly string[] => ['--sink', `vault=${desk.tool('vault.sh')}`];

const fileOf = (name: string): string => `version: 1
projects:
  ${name}:
    id: ${name}-000001
    branches:
      main:
        id: br-${name}-main
        roles:
          app: { password: { file: app.json } }
          report: { password: { exec: vault } }
        databases: { orders: { owner: app }, stock: { owner: report } }
        connections:
          app: { role: app, database: orders, pooled: true, secret: { file: orders.json } }
      staging:
        from: main
        roles: { qa: { password: { file: qa.json } } }
        databases: { tests: { owner: qa } }
        connections:
          qa: { role: qa, database: tests, secret: { file: tests.json } }
      dev: { from: staging, roles: { dev: { password: { file: dev.json } } } }
      scratch: { from: main, ttl: 7d }
    computes:
      primary: { branch: main }
      reader: { branch: main, type: read_only }
      staging: { branch: staging }
      dev: { branch: dev }
      scratch: { branch: scratch }
`;

const VAULT = `#!/bin/sh
case "$1" in
  check) if [ -s kept ]; then exit 0; fi; exit 3 ;;
  put) cat > kept ;;
esac
`;

interface Kept {
  readonly password: string;
  readonly uri?: string;
}

/** The plan is empty, each thing was made once and nothing else was done, and every place holds the password that the service tells. */
async function isWhole(desk: Desk, name: string): Promise<void> {
  const plan = await desk.run(['plan', '--detailed-exitcode', '--format', 'json', ...vault(desk)]);
  expect(plan.code, plan.out + plan.err).toBe(0);
  expect(JSON.parse(plan.out)).not.toHaveProperty('trueup.upkeep');
  const made = await desk.ledger();
  expect(deeds(made).toSorted()).toEqual([
    ...Array<string>(3).fill('POST branch'),
    ...Array<string>(5).fill('POST compute'),
    ...Array<string>(3).fill('POST database'),
    ...Array<string>(4).fill('POST role'),
  ]);
  const kept = (file: string): Kept => JSON.parse(desk.read(file)) as Kept;
  const secrets = desk.state('secrets');
  const files = ['app.json', 'dev.json', 'orders.json', 'qa.json', 'tests.json'];
  expect(readdirSync(desk.path(secrets))).toEqual(files);
  const branchIds = new Map(
    made.filter(({ kind }) => kind === 'branch').map(({ id, after }) => [(after as { name: string }).name, id]),
  );
  const passwordOf = async (branch: string, role: string): Promise<string> => {
    const id = branchIds.get(branch) ?? `br-${name}-main`;
    const path = `/projects/${name}-000001/branches/${id}/roles/${role}/reveal_password`;
    return (await server.request<{ readonly password: string }>('GET', path)).password;
  };
  const places: readonly (readonly [string, string, string])[] = [
    [`${secrets}/app.json`, 'main', 'app'],
    ['kept', 'main', 'report'],
    [`${secrets}/qa.json`, 'staging', 'qa'],
    [`${secrets}/dev.json`, 'dev', 'dev'],
    [`${secrets}/orders.json`, 'main', 'app'],
    [`${secrets}/tests.json`, 'staging', 'qa'],
  ];
  for (const [file, branch, role] of places) expect(kept(file).password, file).toBe(await passwordOf(branch, role));
  expect(kept(`${secrets}/orders.json`).uri).toMatch(/^postgresql:\/\/app:[^@]+@ep-[a-z0-9-]+-pooler\.\S+\/orders\?/);
  expect(kept(`${secrets}/tests.json`).uri).toMatch(/^postgresql:\/\/qa:[^@]+@ep-[a-z0-9-]+\.\S+\/tests\?/);
}
