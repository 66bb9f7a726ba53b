// Bad input, part 2: YAML of so many keys and items that only a linear reader ends in time.
import { runRows } from './rows.ts';

const manyKeys = (count: number): string => Array.from({ length: count }, (_, at) => `  p${at}: {}`).join('\n');

runRows([
  [
    '30,000 keys, each twice',
    `version: 1\nprojects:\n${manyKeys(5)}\n${manyKeys(30_000)}\n`,
    [0, 1, 2, 3, 4].map((at) => `duplicate_key ${at + 8}:3`),
  ],
  ['300,000 list items', `version: 1\nx: [${'a,'.repeat(300_000)}]\n`, ['too_many_entries 2:500006']],
]);
