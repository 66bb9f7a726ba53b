// Starts, configures and stops the Postgres of each compute, as the compute's record says.
import { join } from 'node:path';
import { jsonEqual } from '../../../base/json.ts';
import type { Engine } from '../../resources/engine/engine.ts';
import { timelineOf, type BranchRecord, type MadeRecord } from '../../resources/branch/record.ts';
import { fall } from '../../resources/compute/power.ts';
import type { ComputeRecord } from '../../resources/compute/record.ts';
import type { Machine } from '../machine/machine.ts';
import { disarm } from '../storage/copy.ts';
import { Turns, Timelines } from '../storage/timelines.ts';
import { withSql } from '../sql/client.ts';
import { bringContents, namesOf } from '../sql/contents.ts';
import { endConnections, guardCluster } from '../sql/guard.ts';
import { Poolers } from './pooler.ts';
import { awaitReplay, replicaSettings, startReplica } from './replica.ts';
import { startServer, type Server } from './server.ts';
import {
  checkSettings,
  openSettings,
  settingsOfPooler,
  settingsOfPlace,
  settingsOfSize,
  settingsOfUser,
  writeSettings,
  type Settings,
} from './settings.ts';

export interface Running {
  readonly server: Server;
  readonly timeline: string;
  readonly isReplica: boolean;
  readonly pooler: Settings;
}

export interface FleetOptions {
  readonly machine: Machine;
  readonly engine: Engine;
  readonly maxComputes: number;
}

export class Fleet {
  readonly timelines: Timelines;
  readonly poolers: Poolers;
  readonly #options: FleetOptions;
  readonly #running: Map<string, Running> = new Map();
  readonly #starting: Set<string> = new Set();
  /** The primaries, by their data folders. */
  readonly #writers: Map<string, Server> = new Map();
  readonly #turns: Turns = new Turns();
  readonly #ports: Map<string, number> = new Map();
  /** The roles and databases last applied to each data folder, compared by reference: records never change in place. */
  readonly #brought: Map<string, Pick<BranchRecord, 'roles' | 'databases'> & { readonly replicates: boolean }> =
    new Map();
  #open: ReadonlySet<string> = new Set();
  #isClosing = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.poolers = new Poolers(options.machine);
    this.timelines = new Timelines(options.machine, options.engine, (folder) => this.#writers.get(folder));
  }

  async open(): Promise<void> {
    this.#open = await openSettings(this.#options.machine);
    await this.timelines.open();
  }

  running(computeId: string): Running | undefined {
    return this.#running.get(computeId);
  }

  ids(): string[] {
    return [...new Set([...this.#running.keys(), ...this.#starting])];
  }

  start(computeId: string): Promise<void> {
    return this.#turns.take(computeId, async () => {
      const compute = this.#options.engine.live.computes.get(computeId);
      if (compute === undefined || this.#running.has(computeId) || this.#isClosing) return;
      const { maxComputes } = this.#options;
      if (this.ids().length >= maxComputes)
        throw new Error(`${maxComputes} computes run already: suspend one, or serve with a larger --max-computes`);
      this.#starting.add(computeId);
      try {
        await this.#start(compute);
      } finally {
        this.#starting.delete(computeId);
      }
    });
  }

  /** Starts the compute. If that fails, it becomes idle, and the next client starts it again. */
  startOrFall(computeId: string): Promise<void> {
    return this.start(computeId).catch(() => this.#fall(computeId));
  }

  stop(computeId: string): Promise<void> {
    return this.#turns.take(computeId, () => this.#stop(computeId));
  }

  configure(computeId: string, drops: boolean): Promise<void> {
    return this.#turns.take(computeId, async () => {
      const compute = this.#options.engine.live.computes.get(computeId);
      if (compute === undefined) return;
      const timeline = await this.timelines.ensure(compute.branchId);
      await this.#check(compute, timeline);
      const running = this.#running.get(computeId);
      if (running === undefined) await this.#configureIdle(compute, timeline);
      else if (running.timeline === timeline) await this.#configureActive(compute, running, drops);
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.ids().map((id) => this.stop(id)));
  }

  async #start(compute: ComputeRecord): Promise<void> {
    if (compute.type !== 'read_write')
      return this.#startReplica(compute, await this.timelines.ensure(compute.branchId));
    return this.#startPrimary(compute);
  }

  async #startPrimary(compute: ComputeRecord): Promise<void> {
    const running = await this.#startWriter(compute, await this.timelines.ensureFamily(compute.branchId));
    try {
      await this.#growReplicas(running);
      await this.#bring(compute, running);
    } catch (error) {
      await this.#stop(compute.id);
      throw error;
    }
  }

  async #startWriter(compute: ComputeRecord, timeline: string): Promise<Running> {
    const { machine } = this.#options;
    const [folder, port] = [this.timelines.folder(timeline), this.#portOf(timeline)];
    const settings = this.#settings(compute, port);
    for (;;) {
      // A compute that is moving to another branch may still write to the timeline, so it must stop first.
      await this.#writers.get(folder)?.ended;
      const server = await this.timelines.hold(timeline, async () => {
        if (this.#writers.has(folder)) return undefined;
        await disarm(machine, folder);
        const started = await startServer(machine, { folder, port, settings });
        this.#writers.set(folder, started);
        void started.ended.then(() => this.#writers.delete(folder));
        return started;
      });
      if (server !== undefined) return this.#note(compute, { server, timeline, isReplica: false });
    }
  }

  async #startReplica(compute: ComputeRecord, timeline: string): Promise<void> {
    const { machine } = this.#options;
    const folder = await this.timelines.copyForReplica(timeline, compute.id);
    const port = this.#portOf(compute.id);
    const settings = { ...this.#settings(compute, port), ...replicaSettings(machine, this.#portOf(timeline)) };
    const server = await startReplica(machine, { folder, port, settings });
    this.#note(compute, { server, timeline, isReplica: true });
  }

  #note(compute: ComputeRecord, started: Omit<Running, 'pooler'>): Running {
    const { id } = compute;
    const running = { ...started, pooler: settingsOfPooler(compute) };
    this.#running.set(id, running);
    void started.server.ended.then(() => this.#ended(id, started.server));
    return running;
  }

  /** Reports a server that ended by itself. A server that `#stop` ends is no longer in `#running`. */
  #ended(computeId: string, server: Server): void {
    if (this.#running.get(computeId)?.server !== server) return;
    this.#running.delete(computeId);
    this.#fall(computeId);
  }

  #fall(computeId: string): void {
    const { engine } = this.#options;
    engine.transact((atMs) => fall(engine, computeId, atMs));
  }

  async #stop(computeId: string): Promise<void> {
    const running = this.#running.get(computeId);
    if (running === undefined) return;
    // Removed before the server ends, so that `#ended` does not report a failure.
    this.#running.delete(computeId);
    const { server, timeline, isReplica } = running;
    this.poolers.stop(server);
    if (!isReplica) await this.#awaitReplicas(running);
    await this.timelines.hold(isReplica ? computeId : timeline, () => server.stop());
  }

  /** Restarts replicas that allow fewer connections than their primary, because Postgres would pause their replication. */
  async #growReplicas({ timeline, server }: Running): Promise<void> {
    const needed = Number(server.settings['max_connections']);
    for (const [id, replica] of this.#replicasOf(timeline)) {
      if (Number(replica.server.settings['max_connections']) >= needed) continue;
      await this.stop(id);
      await this.startOrFall(id);
    }
  }

  #awaitReplicas({ server, timeline }: Running): Promise<void> {
    const count = (): number => (this.#isClosing ? 0 : this.#replicasOf(timeline).length);
    return awaitReplay(this.#options.machine, server, count);
  }

  #replicasOf(timeline: string): [id: string, replica: Running][] {
    return [...this.#running].filter(([, running]) => running.isReplica && running.timeline === timeline);
  }

  /** Refuses settings with which Postgres would not start, before any server is stopped to apply them. */
  async #check(compute: ComputeRecord, timeline: string): Promise<void> {
    const { machine } = this.#options;
    settingsOfPooler(compute);
    const file = join(machine.places.run, `${compute.id}.check`);
    writeSettings(machine, file, this.#settings(compute, this.#portOf(timeline)));
    await checkSettings(machine, this.timelines.folder(timeline), file);
  }

  async #configureIdle(compute: ComputeRecord, timeline: string): Promise<void> {
    if (compute.type !== 'read_write' || this.#isBrought(compute, timeline)) return;
    await this.#startPrimary(compute);
    await this.#stop(compute.id);
  }

  async #configureActive(compute: ComputeRecord, running: Running, drops: boolean): Promise<void> {
    const { server, isReplica } = running;
    server.reload({ ...server.settings, ...settingsOfUser(compute, this.#open) });
    const pooler = settingsOfPooler(compute);
    if (!jsonEqual(pooler, running.pooler)) this.poolers.stop(server);
    this.#running.set(compute.id, { ...running, pooler });
    if (isReplica) return;
    await this.#bring(compute, running);
    if (!drops) return;
    this.poolers.stop(server);
    await withSql(server.connect(), (sql) => endConnections(sql));
  }

  async #bring(compute: ComputeRecord, running: Running): Promise<void> {
    const { server, timeline } = running;
    const branch = this.#options.engine.live.branches.get(compute.branchId);
    if (branch === undefined || timelineOf(branch) !== timeline || this.#isBrought(compute, timeline)) return;
    const { machine } = this.#options;
    const { connect } = server;
    const { roles, databases } = branch;
    const replicates = this.#replicates(compute);
    const made = this.timelines.madeOn(timeline);
    // The names are saved before the objects exist: if this run is interrupted, the next run recognizes the objects.
    const isNew = ({ kind, key }: MadeRecord): boolean => !made.some((one) => one.kind === kind && one.key === key);
    this.timelines.note(timeline, [...made, ...namesOf(branch).filter(isNew)]);
    await withSql(connect(), async (sql) => {
      const guarding = { sql, machine, connect, replicates };
      await guardCluster(guarding);
      this.timelines.note(timeline, await bringContents({ ...guarding, made }, branch));
    });
    this.#brought.set(timeline, { roles, databases, replicates });
    await this.#awaitReplicas(running);
  }

  #isBrought(compute: ComputeRecord, timeline: string): boolean {
    const branch = this.#options.engine.live.branches.get(compute.branchId);
    const brought = this.#brought.get(timeline);
    const isSame = brought?.roles === branch?.roles && brought?.databases === branch?.databases;
    return isSame && brought?.replicates === this.#replicates(compute);
  }

  #replicates({ projectId }: ComputeRecord): boolean {
    return this.#options.engine.live.projects.get(projectId)?.settings?.enable_logical_replication === true;
  }

  #settings(compute: ComputeRecord, port: number): Settings {
    const { machine } = this.#options;
    return {
      ...settingsOfPlace(machine, port),
      ...settingsOfSize(compute),
      ...(this.#replicates(compute) ? { wal_level: 'logical' } : {}),
      ...settingsOfUser(compute, this.#open),
      cluster_name: compute.id,
    };
  }

  /** The port number in the socket name of a timeline or replica; it stays the same until our process ends. */
  #portOf(name: string): number {
    const known = this.#ports.get(name) ?? this.#ports.size + FIRST_PORT;
    this.#ports.set(name, known);
    return known;
  }
}

const FIRST_PORT = 10;
