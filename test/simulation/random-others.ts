// Who does something while the run of a random schedule goes on: further runs, a plan, people at the console. Two at the most.
import type { World } from '../../src/control-plane/index.ts';
import type { Dice } from './random-world.ts';
import type { Completed, Schedule } from './schedule.ts';
import type { Workload } from './world/workload.ts';

type Branch = NonNullable<NonNullable<World['projects']>[number]['branches']>[number];
type Others = Required<Pick<Schedule, 'beside' | 'deeds'>>;

/** Draws a second actor, or none, from `dice`; a third one, which only comes to two, from `more`. */
export function drawOthers(dice: Dice, more: Dice, workload: Workload): Others {
  const second: Others = {
    beside: dice.chance(0.15) ? [drawApply(dice, workload, '/home/.elsewhere')] : [],
    deeds: dice.chance(0.15) ? drawDeeds(dice, workload) : [],
  };
  const isTwo = second.beside.length + Math.min(1, second.deeds.length) === 1;
  return isTwo && more.chance(0.5) ? withThird(second, more, workload) : second;
}

/** A third actor: a further apply, a plan that must neither change nor disturb anything, or a person. */
function withThird({ beside, deeds }: Others, dice: Dice, workload: Workload): Others {
  const kind = dice.pick(['apply', 'plan', 'person'] as const);
  if (kind === 'plan') return { beside: [...beside, { afterMs: dice.below(8000), planOnly: true }], deeds };
  if (kind === 'apply') return { beside: [...beside, drawApply(dice, workload, '/home/.third')], deeds };
  return { beside, deeds: [...deeds, ...drawDeeds(dice, workload)] };
}

/** An apply on another machine; keys have places of their own, so it is one of the same machine where keys are made. */
function drawApply(dice: Dice, workload: Workload, folder: string): Others['beside'][number] {
  return { afterMs: dice.below(4000), ...(workload.yaml.includes('api_keys') ? {} : { folder }) };
}

/** What a person may do to the computes that are there: change, delete, make another, put to sleep; and what may come into a branch. */
function drawDeeds(dice: Dice, workload: Workload): readonly Completed[] {
  const projects = workload.world.projects ?? [];
  const keys = (workload.world.api_keys ?? []).filter(({ key }) => key !== undefined);
  if (keys.length > 0 && dice.chance(projects.length === 0 ? 1 : 0.2)) return drawUses(dice, keys);
  if (projects.length === 0) return [];
  return Array.from({ length: 1 + dice.below(2) }, (): Completed => {
    const project = dice.pick(projects);
    const path = `/projects/${project.id ?? ''}/endpoints`;
    const afterMs = dice.below(8000);
    const held = (project.branches ?? []).filter(({ roles = [] }) => roles.length > 0);
    if (held.length > 0 && dice.chance(0.3)) return newcomer(dice, project.id ?? '', held, afterMs);
    const compute = (project.computes ?? []).length === 0 ? null : dice.pick(project.computes ?? []);
    const branch = (project.branches ?? [])[0]?.id ?? '';
    if (compute === null || dice.chance(0.2))
      return {
        afterMs,
        method: 'POST',
        path,
        body: { endpoint: { branch_id: branch, type: dice.pick(['read_only', 'read_write']) } },
      };
    const one = `${path}/${compute.id ?? ''}`;
    const other = dice.pick(project.branches ?? []).id ?? '';
    switch (dice.below(6)) {
      case 4:
        return { afterMs, method: 'PATCH', path: one, body: { endpoint: { branch_id: other } } };
      case 5:
        return {
          afterMs,
          method: 'PATCH',
          path: one,
          body: { endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: dice.pick([1, 2, 4, 8]) } },
        };
      case 0:
        return { afterMs, method: 'DELETE', path: one };
      case 1:
        return { afterMs, method: 'POST', path: `${one}/suspend` };
      case 2:
        return { afterMs, method: 'POST', path: `${one}/restart` };
      default:
        return {
          afterMs,
          method: 'PATCH',
          path: one,
          body: { endpoint: { suspend_timeout_seconds: dice.pick([60, 120, 600]) } },
        };
    }
  });
}

/** Something that no file declares, made on one of these branches. */
function newcomer(dice: Dice, projectId: string, branches: readonly Branch[], afterMs: number): Completed {
  const { id = '', roles = [] } = dice.pick(branches);
  const path = `/projects/${projectId}/branches/${id}`;
  const post = { afterMs, method: 'POST' } as const;
  switch (dice.below(3)) {
    case 0:
      return { ...post, path: `${path}/databases`, body: { database: { name: 'late', owner_name: roles[0] ?? '' } } };
    case 1:
      return { ...post, path: `${path}/roles`, body: { role: { name: 'latecomer' } } };
    default:
      return {
        ...post,
        path: `/projects/${projectId}/endpoints`,
        body: { endpoint: { branch_id: id, type: 'read_only' } },
      };
  }
}

/** A consumer of a key that uses it now and then, or somebody who revokes one. */
function drawUses(dice: Dice, keys: NonNullable<Workload['world']['api_keys']>): readonly Completed[] {
  const { id, key } = dice.pick(keys);
  if (dice.chance(0.2)) return [{ afterMs: dice.below(8000), method: 'DELETE', path: `/api_keys/${String(id)}` }];
  const fromMs = dice.below(4000);
  return Array.from({ length: 1 + dice.below(8) }, (_, at) => ({
    afterMs: fromMs + at * 700,
    method: 'GET',
    path: '/projects?limit=1',
    ...(key === undefined ? {} : { key }),
  }));
}
