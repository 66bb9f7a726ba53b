// A simulated machine and a service of invented kinds: runs of the real reconciler that die, or whose replies are lost, at any exchange.
import { seededRandom } from '../../src/base/random.ts';
import type { DesiredState } from '../../src/model/desired.ts';
import type { Plan } from '../../src/model/outcome/plan.ts';
import type { RunResult } from '../../src/model/outcome/result.ts';
import type { Allowance } from '../../src/plan/input.ts';
import type { ApplyRequest, Reconciler } from '../../src/reconciler/types.ts';
import { Disk } from '../simulation/world/disk.ts';
import { Life, type CrashPoint } from '../simulation/world/life.ts';
import { SimTime } from '../simulation/world/sim-time.ts';
import { desiredOf, HOME } from '../support/files.ts';
import { BASE_URL, type Program } from './program.ts';
import { Service } from './service.ts';

/** Far above what any story takes, in virtual time. */
const LIMIT_MS = 3_600_000;

const known = new Map<string, DesiredState>();

export interface Wish {
  readonly yaml: string;
  readonly allow?: readonly Allowance[];
}

export interface RunOptions {
  readonly crash?: CrashPoint;
  /** An earlier plan is carried out as it is, in place of one made now. */
  readonly saved?: Plan;
}

export interface Told {
  /** Calls to the outside, in order. */
  readonly calls: readonly string[];
  /** Null when it died before. */
  readonly result: RunResult | null;
}

export class Site {
  readonly service: Service;
  readonly #disk = new Disk(['/', HOME]);
  readonly #program: Program;
  readonly #time = new SimTime();
  readonly #lives: Life[] = [];
  readonly #readings = new WeakMap<Plan, ApplyRequest['reading']>();

  constructor(program: Program) {
    this.#program = program;
    this.service = new Service(this.#time.clockOf());
  }

  async plan(wish: Wish): Promise<Plan> {
    const { plan, reading, diagnostics } = await this.#driven(this.#planned(this.#reconciler(this.#spawn(null)), wish));
    if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    this.#readings.set(plan, reading);
    return plan;
  }

  /** Plans and applies, to its end or its death. */
  async apply(wish: Wish, { crash, saved }: RunOptions = {}): Promise<Told> {
    const life = this.#spawn(crash ?? null);
    const work = this.#applied(this.#reconciler(life), wish, saved ?? null);
    const result = await this.#driven(Promise.race([work, life.death.then(() => null)]));
    life.isDead = true;
    return { result, calls: life.calls };
  }

  async #driven<T>(work: Promise<T>): Promise<T> {
    return this.#time.run(work, LIMIT_MS);
  }

  #spawn(crash: CrashPoint | null): Life {
    const life = new Life(this.#lives.length + 1, crash);
    this.#lives.push(life);
    return life;
  }

  async #applied(reconciler: Reconciler, wish: Wish, saved: Plan | null): Promise<RunResult> {
    const request = requestOf(wish);
    const desired = await this.#desired(wish);
    const kept = saved && this.#readings.get(saved);
    if (saved && kept) return reconciler.apply({ plan: saved, desired, reading: kept, isSaved: true, request });
    const { plan, reading, diagnostics } = await this.#planned(reconciler, wish);
    if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    return reconciler.apply({ plan, desired, reading, request });
  }

  async #planned(reconciler: Reconciler, wish: Wish): ReturnType<Reconciler['plan']> {
    return reconciler.plan({ ...requestOf(wish), desired: await this.#desired(wish) });
  }

  #reconciler(life: Life): Reconciler {
    const { createReconciler, handlerTransport } = this.#program;
    const transport = handlerTransport(async (request) => this.service.handle(request), { baseUrl: BASE_URL });
    return createReconciler({
      baseUrl: BASE_URL,
      credential: 'secret',
      send: async (request) => life.call(`${request.method} ${request.path}`, async () => transport(request)),
      clock: this.#time.clockOf(life),
      random: seededRandom(life.pid),
      cwd: HOME,
      stateDir: `${HOME}/state`,
      machine: {
        fileSystem: this.#disk.seenBy(life),
        processes: {
          self: { pid: life.pid, startTime: `boot:${life.pid}`, host: 'simulated' },
          isAlive: ({ pid }) => this.#lives[pid - 1]?.isDead === false,
        },
        runProgram: async () => ({ end: 'not_started', code: null, stderr: '', problem: 'ENOENT' }),
      },
      requestsPerMinute: Infinity,
    });
  }

  async #desired({ yaml }: Wish): Promise<DesiredState> {
    const before = known.get(yaml);
    if (before !== undefined) return before;
    const desired = await desiredOf(yaml, this.#program);
    known.set(yaml, desired);
    return desired;
  }
}

function requestOf({ allow = [] }: Wish): {
  readonly allow: readonly Allowance[];
  readonly due: false;
  readonly consent: 'reviewed';
} {
  return { allow, due: false, consent: 'reviewed' };
}
