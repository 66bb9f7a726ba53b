// What the lists of a reading have shown so far: whether anything is live in a project.

/** What one list came to. */
interface Shown {
  readonly resources: readonly unknown[];
  readonly unread: readonly unknown[];
}

export interface WatchedLists {
  /** Follows the reading of one list of a project; gives what it gives. */
  follow<T extends Shown>(projectId: string, reading: Promise<T>): Promise<T>;
  /**
   * True when the lists of the project, all begun before, were read and show nothing. One that is under way is waited for only
   * where none has shown anything: elsewhere something is most likely live, and the wait would be lost.
   */
  isEmpty(projectId: string): Promise<boolean>;
}

/** A project has `listsEach` lists. */
export function watchLists(listsEach: number): WatchedLists {
  const begun = new Map<string, Promise<Shown>[]>();
  const empty = new Map<string, number>();
  let ended = 0;
  let endedEmpty = 0;
  return {
    async follow(projectId, reading) {
      begun.set(projectId, [...(begun.get(projectId) ?? []), reading]);
      const shown = await reading;
      ended++;
      if (shown.resources.length + shown.unread.length > 0) return shown;
      endedEmpty++;
      empty.set(projectId, (empty.get(projectId) ?? 0) + 1);
      return shown;
    },
    async isEmpty(projectId) {
      if (ended > 0 && ended === endedEmpty) await Promise.allSettled(begun.get(projectId) ?? []);
      return empty.get(projectId) === listsEach;
    },
  };
}
