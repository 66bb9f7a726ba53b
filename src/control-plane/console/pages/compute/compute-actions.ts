// Actions on computes: create, edit, move, delete; restart, suspend and start.
import { plural } from '../../../../base/text/words.ts';
import type { Endpoint, Operation } from '../../../../api/index.ts';
import { typed, unlessKept, type Action, type Asked, type Question } from '../../action.ts';
import { choiceOf } from '../../page/fields.ts';
import { pathTo } from '../../page/parts.ts';
import { branchOf, branchesOf, computeOf, computeStays, computesOf, projectOf, send } from '../../view.ts';
import type { FormVisit, Visit } from '../../visit.ts';
import { placeOf } from '../trails.ts';
import { chosenConfig, configFields } from './config-fields.ts';

const ONE = '/projects/:project/computes/:compute';

function pathOf(visit: Visit): string {
  return pathTo('projects', visit.param('project'), 'computes', visit.param('compute'));
}

/** The page that asks about the compute that the path names. */
function askCompute(visit: Visit, ask: (compute: Endpoint) => Question): Asked {
  const project = projectOf(visit, visit.param('project'));
  const compute = computeOf(visit, project.id, visit.param('compute'));
  return { ...placeOf(project), cancelPath: pathOf(visit), ...ask(compute) };
}

/** Asks the API about the compute that the path names; the operations that this has started. */
function onCompute(
  visit: FormVisit,
  verb: 'POST' | 'PATCH' | 'DELETE',
  more: { readonly below?: string; readonly body?: unknown } = {},
): readonly Operation[] {
  const below = more.below === undefined ? [] : [more.below];
  const path = ['projects', visit.param('project'), 'endpoints', visit.param('compute'), ...below];
  const reply = send(visit, verb, path, more.body) as { operations?: Operation[] } | undefined;
  return reply?.operations ?? [];
}

function started(operations: readonly Operation[]): string {
  return operations.length === 0 ? '' : `; ${plural(operations.length, 'operation')} started`;
}

const createCompute: Action = {
  path: '/projects/:project/new-compute',
  ask: (visit) => {
    const project = projectOf(visit, visit.param('project'));
    const branches = branchesOf(visit, project.id);
    const led = new Set(
      computesOf(visit, project.id).flatMap((one) => (one.type === 'read_write' ? one.branch_id : [])),
    );
    // A branch has one primary: one that has none is offered first.
    const first = [...branches].sort((a, b) => Number(b.default) - Number(a.default));
    const wanted = visit.url.searchParams.get('branch') ?? (first.find(({ id }) => !led.has(id)) ?? first[0])?.id ?? '';
    return {
      ...placeOf(project),
      title: 'Create a compute',
      fields: [
        choiceOf('branch', 'Branch', wanted, branches),
        {
          kind: 'choice',
          name: 'type',
          label: 'Type',
          value: led.has(wanted) ? 'read_only' : 'read_write',
          options: [
            ['read_write', 'Read-write: the branch’s primary'],
            ['read_only', 'Read replica'],
          ],
        },
        ...configFields({ min: undefined, max: undefined, suspend: undefined }),
      ],
      button: 'Create compute',
    };
  },
  act: (visit) => {
    const projectId = visit.param('project');
    const { replicaType } = visit.controlPlane.engine.switches;
    const endpoint = {
      branch_id: typed(visit, 'branch'),
      type: typed(visit, 'type') === 'read_only' ? replicaType : typed(visit, 'type'),
      ...chosenConfig(visit),
    };
    const path = ['projects', projectId, 'endpoints'];
    const reply = send(visit, 'POST', path, { endpoint }) as { endpoint: Endpoint };
    return { path: pathTo('projects', projectId), notice: `${reply.endpoint.id} is being created.` };
  },
};

const editCompute: Action = {
  path: `${ONE}/edit`,
  ask: (visit) =>
    askCompute(visit, (compute) => ({
      title: `Edit ${compute.id}`,
      text: [
        compute.current_state === 'idle'
          ? 'The compute is idle: another size counts from its next start.'
          : 'Another size restarts the compute and drops its connections. Another autosuspend delay drops none.',
      ],
      fields: [
        ...configFields({
          min: compute.autoscaling_limit_min_cu,
          max: compute.autoscaling_limit_max_cu,
          suspend: compute.suspend_timeout_seconds ?? 0,
        }),
        {
          kind: 'tick',
          name: 'disabled',
          label: 'Disabled: it is suspended and accepts no connections',
          value: compute.disabled === true,
        },
      ],
      button: 'Save compute',
    })),
  act: (visit) => {
    const compute = computeOf(visit, visit.param('project'), visit.param('compute'));
    const wanted = { ...chosenConfig(visit), disabled: visit.form.has('disabled') };
    const changes = Object.entries(wanted).filter(([name, value]) => value !== (compute[name] ?? false));
    if (changes.length === 0) return { path: pathOf(visit), notice: `${compute.id} is as it was.` };
    const operations = onCompute(visit, 'PATCH', { body: { endpoint: Object.fromEntries(changes) } });
    return {
      path: pathTo('projects', visit.param('project')),
      notice: `${compute.id} is changed${started(operations)}.`,
    };
  },
};

const moveCompute: Action = {
  path: `${ONE}/move`,
  ask: (visit) =>
    askCompute(visit, (compute) => {
      const branches = branchesOf(visit, visit.param('project')).filter(({ id }) => id !== compute.branch_id);
      return unlessKept(branches.length > 0 ? null : 'It cannot be moved: the project has no other branch.', {
        title: `Move ${compute.id} to another branch`,
        text: [
          'Its host stays, and serves the data of the other branch from then on. Connections are dropped.',
          ...(compute.type === 'read_write' ? ['The other branch must not have a read-write compute.'] : []),
        ],
        fields: [choiceOf('branch', 'To branch', branches[0]?.id ?? '', branches)],
        button: 'Move compute',
      });
    }),
  act: (visit) => {
    const operations = onCompute(visit, 'PATCH', { body: { endpoint: { branch_id: typed(visit, 'branch') } } });
    const notice = `${visit.param('compute')} is being moved${started(operations)}.`;
    return { path: pathTo('projects', visit.param('project')), notice };
  },
};

const deleteCompute: Action = {
  path: `${ONE}/delete`,
  ask: (visit) =>
    askCompute(visit, ({ id, type, branch_id: branchId, project_id: projectId }) =>
      unlessKept(computeStays(branchOf(visit, projectId ?? '', branchId ?? '')), {
        title: `Delete ${id}?`,
        text: [
          'Its host is gone for good, and its connections are dropped. The data of the branch stay.',
          ...(type === 'read_write' ? ['Nobody can write to the branch until it has another read-write compute.'] : []),
        ],
        button: 'Delete compute',
        isFinal: true,
      }),
    ),
  act: (visit) => {
    const operations = onCompute(visit, 'DELETE');
    const notice = `${visit.param('compute')} is deleted${started(operations)}.`;
    return { path: pathTo('projects', visit.param('project')), notice };
  },
};

/** Restart, suspend, start: a question, and a request without a body. */
function turning(act: string, verb: string, done: string, consequence: string): Action {
  return {
    path: `${ONE}/${act}`,
    ask: (visit) =>
      askCompute(visit, ({ id }) => ({ title: `${verb} ${id}?`, text: [consequence], button: `${verb} compute` })),
    act: (visit) => {
      onCompute(visit, 'POST', { below: act });
      return { path: pathTo('projects', visit.param('project')), notice: `${visit.param('compute')} ${done}.` };
    },
  };
}

export const computeActions: readonly Action[] = [
  createCompute,
  editCompute,
  moveCompute,
  deleteCompute,
  turning(
    'restart',
    'Restart',
    'is restarting',
    'Its connections are dropped. Clients can connect again as soon as it has started.',
  ),
  turning(
    'suspend',
    'Suspend',
    'is being suspended',
    'Its connections are dropped. It becomes active again with the next connection.',
  ),
  turning('start', 'Start', 'is starting', 'It becomes active and accepts connections.'),
];
