// A timeline is the data folder of one branch. A restore gives the branch a new timeline; the old one may stay in use.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../resources/engine/engine.ts';
import { timelineOf, type BranchRecord, type MadeRecord } from '../../resources/branch/record.ts';
import type { Server } from '../compute/server.ts';
import type { Machine } from '../machine/machine.ts';
import { endOrphan } from '../machine/orphans.ts';
import { fileName, makeOurs, remove, writeWithin } from '../machine/places.ts';
import { copyFolder, isCluster, ensureTemplate } from './copy.ts';

/** Runs work of the same name in sequence; work of different names runs in parallel. */
export class Turns {
  readonly #last: Map<string, Promise<unknown>> = new Map();

  /** Starts `work` once all earlier work of this name has ended; resolves or rejects as `work` does. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    const forget = (): void => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    mine.then(forget, forget);
    return mine;
  }
}

const TEMPLATE = 'template';

export class Timelines {
  readonly #machine: Machine;
  readonly #engine: Engine;
  readonly #writer: (folder: string) => Server | undefined;
  readonly #turns: Turns = new Turns();

  constructor(machine: Machine, engine: Engine, writer: (folder: string) => Server | undefined) {
    this.#machine = machine;
    this.#engine = engine;
    this.#writer = writer;
  }

  async open(): Promise<void> {
    const { places, user } = this.#machine;
    for (const name of ['timelines', 'replicas']) {
      const folder = join(places.data, name);
      makeOurs(folder, user);
      const inside = readdirSync(folder).map((entry) => join(folder, entry));
      await Promise.all(inside.map((entry) => endOrphan(entry, this.#machine)));
      await remove(inside.filter((entry) => entry.endsWith('.new') || name === 'replicas'));
    }
    await ensureTemplate(this.#machine, join(places.data, TEMPLATE));
  }

  folder(timeline: string): string {
    return join(this.#machine.places.data, 'timelines', fileName(timeline));
  }

  hold<T>(timeline: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(fileName(timeline), work);
  }

  /** Makes the data of a branch unless it exists, as a copy of its source's present state or of the empty template. */
  async ensure(branchId: string): Promise<string> {
    const branch = this.#engine.live.branches.get(branchId);
    if (branch === undefined) throw new Error(`the branch ${branchId} is gone`);
    const timeline = timelineOf(branch);
    const folder = this.folder(timeline);
    const source = await this.#source(branch, folder);
    if (source === undefined) return timeline;
    await this.hold(timeline, async () => {
      if (isCluster(folder)) return;
      const template = join(this.#machine.places.data, TEMPLATE);
      if (source === TEMPLATE) await copyFolder(this.#machine, template, folder);
      else await this.#copy(source, folder, async () => this.note(timeline, this.madeOn(source)));
    });
    return timeline;
  }

  /** Like `ensure`, also for descendants that were never restored: they are copied before a write changes their source. */
  async ensureFamily(branchId: string): Promise<string> {
    const timeline = await this.ensure(branchId);
    const children = this.#engine.live.branches.children.get(branchId);
    await Promise.all(children.filter(({ timeline: own }) => own === undefined).map(({ id }) => this.ensureFamily(id)));
    return timeline;
  }

  async #source(branch: BranchRecord, folder: string): Promise<string | undefined> {
    if (isCluster(folder)) return undefined;
    const from = branch.timeline?.from;
    if (from !== undefined) {
      const owner = [...this.#engine.live.branches.values()].find((other) => timelineOf(other) === from);
      if (owner !== undefined && owner.id !== branch.id) await this.ensure(owner.id);
      return isCluster(this.folder(from)) ? from : TEMPLATE;
    }
    const parent = this.#engine.live.branches.get(branch.parentId ?? '');
    return parent === undefined ? TEMPLATE : this.ensure(parent.id);
  }

  /** Copies the timeline to a new folder of a replica, which follows its primary. */
  async copyForReplica(timeline: string, computeId: string): Promise<string> {
    const { places, user } = this.#machine;
    const folder = join(places.data, 'replicas', fileName(computeId));
    await remove([folder]);
    await this.#copy(timeline, folder, (draft) => writeWithin(join(draft, 'standby.signal'), '', user));
    return folder;
  }

  #copy(timeline: string, to: string, finish: (draft: string) => Promise<void>): Promise<void> {
    const from = this.folder(timeline);
    return this.hold(timeline, () => copyFolder(this.#machine, from, to, { server: this.#writer(from), finish }));
  }

  madeOn(timeline: string): readonly MadeRecord[] {
    return this.#engine.live.timelines.get(timeline)?.made ?? [];
  }

  note(timeline: string, made: readonly MadeRecord[]): void {
    this.#engine.transact(() => this.#engine.put('timelines', { id: timeline, made }));
  }

  /** Removes timelines that no live branch, no recoverable branch and no running server uses. */
  async collect(): Promise<void> {
    const { live } = this.#engine;
    const shelved = [...live.shelf.values()].flatMap(({ branches }) => branches);
    const kept = new Set(
      [...live.branches.values(), ...shelved].flatMap((branch) => {
        const own = timelineOf(branch);
        // The source folder must stay until the timeline is copied from it.
        const from = isCluster(this.folder(own)) ? undefined : branch.timeline?.from;
        return [own, ...(from === undefined ? [] : [from])].map(fileName);
      }),
    );
    const all = join(this.#machine.places.data, 'timelines');
    const unused = readdirSync(all).filter((name) => !kept.has(name) && !name.endsWith('.new'));
    const gone = [...live.timelines.keys()].filter((id) => !kept.has(fileName(id)));
    for (const name of unused)
      await this.hold(name, async () => {
        const folder = join(all, name);
        if (this.#writer(folder) === undefined) await remove([folder]);
      });
    this.#engine.transact(() => gone.forEach((id) => this.#engine.remove('timelines', id)));
  }
}
