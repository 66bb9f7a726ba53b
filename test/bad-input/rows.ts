// Runs a table of bad inputs: each must end in the expected codes at the expected places, quickly and without a trace of our insides.
import { describe, expect, it } from 'vitest';
import { brief, load, type Given } from '../support/files.ts';

type Input = Given & { readonly text?: string | Uint8Array };

/** A bad file: what it is, its content as trueup.yaml or all that is given, `code line:column` of each diagnostic, and words that must be said. */
export type Row = readonly [
  what: string,
  input: string | Uint8Array | Input,
  expected: readonly string[],
  says?: string | RegExp | undefined,
];

/** Processor time, which a busy machine does not stretch. */
const WITHIN_MS = 8000;

export function runRows(rows: readonly Row[]): void {
  describe('bad input', () => {
    it.each(rows.map(([what, ...rest]) => ({ what, rest })))('$what', async ({ rest: [input, expected, says] }) => {
      const isText = typeof input === 'string' || input instanceof Uint8Array;
      const { text, ...given }: Input = isText ? { text: input } : input;
      const files = text === undefined ? {} : { 'trueup.yaml': text };
      const before = process.cpuUsage();
      const result = await load({ paths: ['trueup.yaml'], ...given, files: { ...files, ...given.files } });
      const used = process.cpuUsage(before);
      expect(brief(result)).toEqual(expected);
      expect(result.desired === null).toBe(expected.some((line) => !line.startsWith('(warning)')));
      expect((used.user + used.system) / 1000).toBeLessThan(WITHIN_MS);
      const words = result.diagnostics.map(({ message, hint }) => `${message}\n${hint ?? ''}`).join('\n');
      if (says !== undefined) expect(words).toMatch(says);
      // No stack traces, no raw control characters, no endless messages.
      expect(words).not.toMatch(/\bat .*\(.*:\d+:\d+\)|node_modules|undefined|\[object/);
      for (const { message } of result.diagnostics) {
        expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(message.length).toBeLessThan(400);
      }
    });
  });
}

/** A file with one compute, shop/p on the branch main; `lines` stand within it, from line 8 on, indented. */
export function compute(...lines: readonly string[]): string {
  return replicas('p:', '  branch: main', ...lines.map((line) => `  ${line}`));
}

/** A file with API keys, one a line from line 3 on. */
export function keys(...lines: readonly string[]): string {
  return ['version: 1', 'api_keys:', ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** A file with computes of the project shop, one a line from line 6 on; main and dev are branches. */
export function replicas(...lines: readonly string[]): string {
  return [
    'version: 1',
    'projects:',
    '  shop:',
    '    branches: { main: br-a-1, dev: br-b-2 }',
    '    computes:',
    ...lines.map((line) => `      ${line}`),
    '',
  ].join('\n');
}
