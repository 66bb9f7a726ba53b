// Files are read under the watch over time and memory. Commands that edit files end the watch before they write.
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

it.each(['show', 'apply'])('%s reads a plan file under the watch', async (command) => {
  onTestFinished(clearDesks);
  const { runWith, write } = desk({}, {});
  write('plan.json', '{}');
  const watched: (number | null)[] = [];
  await runWith([command, 'plan.json', '--max-entries', '500000'], () => ({
    watch: (share) => void watched.push(share),
  }));
  expect(watched).toEqual([2]);
});
