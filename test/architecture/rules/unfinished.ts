// Rule: the tree keeps nothing that is unfinished, switched off or silenced.

/** A text file of the project, its path relative to the root. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

// Each word is written in two halves, so that this file does not accuse itself.
const whole = (...halves: readonly string[]): string => halves.map((pair) => pair.replace('·', '')).join('|');

const UNWANTED: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: new RegExp(String.raw`\b(${whole('TO·DO', 'FIX·ME', 'XX·X', 'HA·CK')})\b`), why: 'unfinished work' },
  {
    pattern: new RegExp(String.raw`\b(describe|it|test)\.(${whole('on·ly', 'sk·ip', 'to·do', 'fa·ils')})\b`),
    why: 'a test switched off',
  },
  { pattern: new RegExp(whole('eslint-dis·able', 'oxlint-dis·able')), why: 'a silenced linter' },
  { pattern: new RegExp(`@ts-(${whole('ign·ore', 'noch·eck', 'expect-err·or')})`), why: 'a silenced compiler' },
  { pattern: new RegExp(whole('prettier-ign·ore')), why: 'a silenced formatter' },
  { pattern: new RegExp(String.raw`^\s*${whole('debug·ger')}\b`), why: 'a breakpoint' },
  { pattern: /^(<<<<<<<|>>>>>>>) /, why: 'an unfinished merge' },
];

/** Lines that the rule forbids, with the reason. */
export function unfinishedViolations(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const match = UNWANTED.find(({ pattern }) => pattern.test(line));
      return match === undefined ? [] : [`${path}:${index + 1}: ${match.why}: ${line.trim().slice(0, 80)}`];
    }),
  );
}
