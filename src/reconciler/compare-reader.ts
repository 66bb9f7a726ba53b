// One look at the account for two plans: answers to the first reading are given again to the second.
import { canonicalJson } from '../base/json.ts';
import type { SinkLookup } from '../apply/kind-remote.ts';
import type { ReadOptions, Reader } from '../client/types.ts';

/** A reading that is kept, and that a later one goes along with. */
export interface Tape<T> {
  readonly recorder: T;
  /** Gives each question the answers that it got, in their order, failures too; asks only what was not asked before. */
  readonly player: T;
}

/** Keeps what is read, so that a second reading sends only what the first did not. */
export function tapeReader(reader: Reader): Tape<Reader> {
  const answers = keptAnswers();
  const through = (answer: Answering): Reader => ({
    orgId: reader.orgId,
    get: async <T>(path: string, shape: Parameters<Reader['get']>[1], options: ReadOptions<T> = {}): Promise<T> =>
      answer(canonicalJson([path, options.query ?? {}]), async () => reader.get<T>(path, shape, options)),
  });
  return { recorder: through(answers.keep), player: through(answers.replay) };
}

/** The same for secret stores: each may be a process, and is asked once. */
export function tapeSinks(sinks: SinkLookup): Tape<SinkLookup> {
  const answers = keptAnswers();
  const through = (answer: Answering): SinkLookup => ({
    look: async (target, shape, signal) =>
      answer(canonicalJson([target, shape.members]), async () => sinks.look(target, shape, signal)),
  });
  return { recorder: through(answers.keep), player: through(answers.replay) };
}

/** The same question always has answers of one type; who asks it says which. */
type Answering = <T>(key: string, ask: () => Promise<T>) => Promise<T>;

function keptAnswers(): { readonly keep: Answering; readonly replay: Answering } {
  const kept = new Map<string, Promise<unknown>[]>();
  return {
    async keep<T>(key: string, ask: () => Promise<T>): Promise<T> {
      const answer = ask();
      const earlier = kept.get(key);
      if (earlier === undefined) kept.set(key, [answer]);
      else earlier.push(answer);
      return answer;
    },
    async replay<T>(key: string, ask: () => Promise<T>): Promise<T> {
      const answer = kept.get(key)?.shift() as Promise<T> | undefined;
      return answer ?? ask();
    },
  };
}
