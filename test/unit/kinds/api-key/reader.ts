// A reader that answers from a script, for tests of what is made of the answers.
import { checkShape } from '../../../../src/api/index.ts';
import { parseJson } from '../../../../src/base/json.ts';
import type { Reader } from '../../../../src/client/types.ts';

/** Answers each GET with the next text; checks shapes as the client does. */
export function readerOf(...texts: readonly string[]): Reader & { readonly paths: string[] } {
  const paths: string[] = [];
  return {
    paths,
    async get<T>(path: string, shape: Parameters<typeof checkShape>[0]): Promise<T> {
      const body = parseJson(texts[paths.length] ?? texts.at(-1) ?? '[]');
      paths.push(path);
      const checked = checkShape<T>(shape, body);
      if (!checked.ok) throw new Error(checked.problems.join());
      return Promise.resolve(checked.value);
    },
  };
}
