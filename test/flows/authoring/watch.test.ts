// Commands that edit files read them under the watch over time and memory, which is over before anything is written.
import { expect, it, onTestFinished } from 'vitest';
import { clearDesks, desk } from '../../outputs/desk.ts';

it.each([
  ['pin', ['pin']],
  ['hold', ['hold', 'shop/branches/main', '--path', 'name', '--until', '2030-01-01', '--reason', 'a ticket']],
  ['import', ['import']],
  ['init --retention', ['init', '--retention', 'preview/*']],
])('%s', async (_, words) => {
  onTestFinished(clearDesks);
  const { runWith, write } = desk({}, { world: 'version: 1\nprojects: [{ id: spring-example-302709, name: shop }]\n' });
  write('trueup.yaml', 'version: 1\nprojects: { shop: { branches: { main: {} } } }\n');
  const watched: (number | null)[] = [];
  await runWith(words, () => ({ watch: (share) => void watched.push(share) }));
  expect(watched).toEqual([1, null]);
});
