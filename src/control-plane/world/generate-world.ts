// Generates seed data of any size from a few numbers, a project at a time.
import { defined } from '../../base/picked.ts';
import type { WorldCompute, WorldProject, WorldGenerator } from '../../api/index.ts';
import { seededRandom } from '../../base/random.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { hashOfKey, newId } from '../resources/engine/naming.ts';
import { loadOperation, loadProject } from './load-project.ts';

const HISTORY: readonly string[] = ['start_compute', 'suspend_compute', 'apply_config', 'check_availability'];
const SIZES: readonly number[] = [0.25, 0.5, 1, 2, 4];
const HISTORY_STEP_MS = 60_000;
/** Operations per transaction: bounds the memory for a large history. */
const CHUNK = 5000;

/** Adds the generated projects and keys, with a transaction for each project. */
export function generateProjects(engine: Engine, generator: WorldGenerator): void {
  const random = seededRandom(generator.seed ?? 1);
  for (let index = 0; index < (generator.projects ?? 0); index++) {
    const branchIds = Array.from({ length: generator.branches_per_project ?? 1 }, () =>
      newId(random, 'br-', engine.live.branches),
    );
    const computes = Array.from({ length: generator.computes_per_project ?? 1 }, (_, place): WorldCompute => {
      const size = SIZES[Math.floor(random.next() * SIZES.length)] ?? 1;
      return {
        id: newId(random, 'ep-', engine.live.computes),
        branch: branchIds[place % branchIds.length] ?? '',
        type: place < branchIds.length ? 'read_write' : engine.switches.replicaType,
        autoscaling_limit_min_cu: size,
        autoscaling_limit_max_cu: size,
        created_at: '-20d',
        last_active: '-2h',
      };
    });
    const project = {
      id: newId(random, '', engine.live.projects),
      name: `project-${String(index + 1).padStart(5, '0')}`,
      created_at: '-20d',
      last_request_at: '-2h',
      branches: branchIds.map((id, place) => ({
        id,
        name: place === 0 ? 'main' : `branch-${place}`,
        created_at: '-20d',
      })),
      computes,
    };
    engine.transact((nowMs) => loadProject(engine, project, nowMs));
    addHistory(engine, project, generator.operations_per_project ?? 0);
  }
  addKeys(engine, generator.api_keys ?? 0);
}

function addHistory(engine: Engine, project: WorldProject & { readonly id: string }, count: number): void {
  for (let from = 0; from < count; from += CHUNK)
    engine.transact((nowMs) => {
      for (let index = from; index < Math.min(count, from + CHUNK); index++) {
        const endpointId = project.computes?.[index % (project.computes.length || 1)]?.id;
        const operation = {
          action: HISTORY[index % HISTORY.length] ?? '',
          ...defined({ endpoint_id: endpointId }),
          created_at: `-${(count - index) * HISTORY_STEP_MS}ms`,
          updated_at: `-${(count - index) * HISTORY_STEP_MS - 900}ms`,
        };
        loadOperation(engine, project.id, operation, nowMs);
      }
    });
}

function addKeys(engine: Engine, count: number): void {
  if (count === 0) return;
  engine.transact((nowMs) => {
    for (let index = 0; index < count; index++) {
      const id = engine.state.meta.nextKeyId;
      engine.state.setMeta({ nextKeyId: String(BigInt(id) + 1n) });
      // The hash of a text that is no valid key value, so that nobody has this key.
      const hash = hashOfKey(`generated ${id}`);
      engine.state.put('keys', { id, name: `key-${index + 1}`, hash, createdMs: nowMs - index });
    }
  });
}
