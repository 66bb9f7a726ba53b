// What holds for every answer, however it is spoilt: refused or tolerated, never a fault of ours, never a plan that takes more away.
import { inert } from '../../../src/base/text/inert.ts';
import { ApiFailure } from '../../../src/client/failure.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { planOf, type Tape } from './tape.ts';

const INSIDES = /bug in trueup|\bat .*\(.*:\d+:\d+\)|node_modules|undefined|\[object|TypeError|RangeError/;

/** What a plan does, a line each. */
export function deedsOf(plan: Plan): ReadonlySet<string> {
  return new Set(plan.steps.map(({ action, address, method, path }) => `${action} ${address} ${method} ${path}`));
}

/** Broken laws, in words. `expected` are the deeds of the plan by sound answers. */
export async function judgeReply(
  tape: Tape,
  expected: ReadonlySet<string>,
  at: number,
  text: string,
): Promise<readonly string[]> {
  try {
    const { plan, diagnostics } = await planOf(tape, at, text);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (plan === null)
      return errors.length === 0
        ? ['there is neither a plan nor an error']
        : errors.flatMap(({ message }) => troubles(message));
    // A compute without a known type is left alone, and that is said: the file's own may then be made.
    const isTold = plan.diagnostics.some(({ code }) => code === 'unknown_type');
    const more = [...deedsOf(plan)].filter((deed) => !expected.has(deed));
    return [
      ...more.filter((deed) => !deed.startsWith('update ') && !(isTold && deed.startsWith('create '))),
      ...[...plan.diagnostics.map(({ message }) => message), ...plan.unread.map(({ reason }) => reason)].flatMap(
        troubles,
      ),
    ];
  } catch (error) {
    if (error instanceof ApiFailure) return troubles(error.message);
    return [`it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

function troubles(words: string): string[] {
  return [
    ...(INSIDES.test(words) ? [`our insides are shown: ${words.slice(0, 200)}`] : []),
    ...(words.length > 3000 ? [`a message of ${words.length} characters`] : []),
    ...(inert(words, words.length) === words ? [] : ['a message holds an active character']),
    ...(words.includes('canary') ? ['the credential is shown'] : []),
  ];
}
