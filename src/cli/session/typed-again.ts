// The flags of a run that another command needs to mean the same account and files, as they would be typed.
import { shellWord } from '../../base/text/shell-word.ts';
import { inert } from '../../base/text/inert.ts';
import type { Invocation } from '../command.ts';

const SPELLED = {
  file: '-f ',
  overlay: '--overlay ',
  local: '--local=',
  baseUrl: '--base-url ',
  orgId: '--org-id ',
} as const;

/** ` -f infra --local`; empty for none. */
export function typedAgain({ flags }: Pick<Invocation, 'flags'>, names: readonly (keyof typeof SPELLED)[]): string {
  const words = names.flatMap((name) =>
    [flags[name] ?? []].flat().map((value) => {
      const text = String(value);
      return text === '' ? SPELLED[name].slice(0, -1) : `${SPELLED[name]}${inert(shellWord(text), 400)}`;
    }),
  );
  return words.map((word) => ` ${word}`).join('');
}
