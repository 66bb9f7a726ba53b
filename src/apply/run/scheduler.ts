// Decides which steps may run, without a clock or I/O. A failure skips only the steps that depend on it.
import { assert } from '../../base/assert.ts';
import type { KindName } from '../../model/desired.ts';
import type { Step, StepId } from '../../model/outcome/plan.ts';
import type { StepEnd } from './run.ts';

interface Skipped {
  readonly step: Step;
  readonly reason: string;
  readonly blocked: boolean;
}

interface Consequence {
  readonly ready: readonly Step[];
  readonly skipped: readonly Skipped[];
}

export interface Schedule {
  /** Returns the steps that may start at once, in the order of the plan. Removals that no other type of step needs start last. */
  first(): readonly Step[];
  start(id: StepId): void;
  end(id: StepId, end: StepEnd['end']): Consequence;
  progress(): { readonly done: number; readonly total: number };
}

interface Node {
  readonly step: Step;
  readonly dependents: Node[];
  open: number;
  state: 'waiting' | 'running' | 'ended';
}

/** The needs must not form a cycle. A need that is not in `steps` is never met, so the steps with this need never start. */
export function createSchedule(steps: readonly Step[]): Schedule {
  const nodes = linkNodes(steps);
  const late = lateOf(nodes);
  let ended = 0;
  let early = nodes.size - late.size;

  const nodeOf = (id: StepId): Node => {
    const node = nodes.get(id);
    assert(node !== undefined, `the plan has no step ${id}`);
    return node;
  };
  const settle = (node: Node): void => {
    node.state = 'ended';
    ended++;
    if (!late.has(node)) early--;
  };
  const isReady = (node: Node): boolean =>
    node.state === 'waiting' && node.open === 0 && (early === 0 || !late.has(node));
  const skipDependents = (cause: Node, why: string, blocked: boolean): Skipped[] => {
    const skipped: Skipped[] = [];
    const queue = cause.dependents.map((node) => ({ node, reason: reasonOf(cause, why) }));
    for (const { node, reason } of queue) {
      if (node.state !== 'waiting') continue;
      settle(node);
      skipped.push({ step: node.step, reason, blocked });
      const inTurn = reasonOf(node, blocked ? END_WORDS.blocked : 'was skipped');
      for (const dependent of node.dependents) queue.push({ node: dependent, reason: inTurn });
    }
    return skipped;
  };

  return {
    first: () => [...nodes.values()].filter(isReady).map(({ step }) => step),
    start(id) {
      const node = nodeOf(id);
      assert(node.state === 'waiting' && node.open === 0, `step ${id} is not ready`);
      node.state = 'running';
    },
    end(id, end) {
      const node = nodeOf(id);
      assert(node.state === 'running', `step ${id} is not running`);
      const wereEarly = early > 0;
      settle(node);
      const isDone = end === 'done' || end === 'satisfied';
      if (isDone) for (const dependent of node.dependents) dependent.open--;
      const skipped = isDone || end === 'not_started' ? [] : skipDependents(node, END_WORDS[end], end === 'blocked');
      const candidates = wereEarly && early === 0 ? [...late] : isDone ? node.dependents : [];
      return { ready: candidates.filter(isReady).map(({ step }) => step), skipped };
    },
    progress: () => ({ done: ended, total: nodes.size }),
  };
}

const END_WORDS = {
  failed: 'failed',
  skipped: 'failed',
  unknown: 'has an unknown outcome',
  blocked: 'is blocked',
} as const;

function reasonOf({ step }: Node, why: string): string {
  return `depends on ${step.action} of ${step.address}, which ${why}`;
}

/** Returns the removals that no other type of step needs, even indirectly. They run last, because other steps may replace the removed resources. */
function lateOf(nodes: ReadonlyMap<StepId, Node>): ReadonlySet<Node> {
  const needed = new Set<StepId>();
  const queue = [...nodes.values()].filter(({ step }) => step.achieves !== null).flatMap(({ step }) => step.needs);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    for (const need of nodes.get(id)?.step.needs ?? []) queue.push(need);
  }
  return new Set([...nodes.values()].filter(({ step }) => step.achieves === null && !needed.has(step.id)));
}

function linkNodes(steps: readonly Step[]): ReadonlyMap<StepId, Node> {
  const nodes = new Map<StepId, Node>(
    steps.map((step) => [step.id, { step, dependents: [], open: step.needs.length, state: 'waiting' }]),
  );
  for (const node of nodes.values()) for (const need of node.step.needs) nodes.get(need)?.dependents.push(node);
  return nodes;
}

/**
 * Returns the position of a step in a queue, lowest first: creations and updates in the order of kinds, removals in the reverse order.
 * The two orders may overlap, because the scheduler starts most removals last anyway. A step with the option `last` comes after all.
 */
export function turnOf({ kind, expects, achieves, options }: Step, kinds: readonly KindName[]): number {
  const last = 2 * kinds.length;
  if (options['last'] === true) return last + 1;
  const rank = 2 * kinds.indexOf(kind) + (expects.state === 'absent' ? 0 : 1);
  return achieves === null ? last - rank : rank;
}
