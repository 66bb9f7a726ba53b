// What a bug that escaped everything leaves on the screen: a line of ours, and nothing of what hangs on the error.
import { inert } from '../base/inert.ts';

/** The text for an error that nothing caught. Only its message is shown, and with `debug` its stack: a request may hang on it. */
export function lastWords(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  return `error: bug in trueup: ${inert(message, 2000)}\n  It ended at once. What it began is noted: run the same command again.\n${stack}`;
}
