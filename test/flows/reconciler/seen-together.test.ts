// That lists have shown what a run made is noted for all of it at once: a disk that takes its time does not hold up a large run.
import { expect, it } from 'vitest';
import { openSite } from '../kinds/project/site.ts';
import { MAIN, shopOf } from '../../unit/kinds/branch/shop.ts';

it('what was made is noted as seen in as many writes whether it was two or twenty', async () => {
  const writesAtTheEnd = async (count: number): Promise<number> => {
    const site = openSite({ seed: shopOf([{ id: MAIN, name: 'main', default: true, roles: [], databases: [] }]) });
    const roles = Array.from({ length: count }, (_, at) => `r${at}: {}`).join(', ');
    const { calls, result } = await site.live(
      `version: 1\nprojects: { shop: { branches: { main: { roles: { ${roles} } } } } }\n`,
      [],
      null,
    );
    expect(result?.status).toBe('converged');
    const last = calls.findLastIndex((call) => call.startsWith('GET'));
    return calls.slice(last).filter((call) => call.startsWith('write')).length;
  };
  expect(await writesAtTheEnd(20)).toBe(await writesAtTheEnd(2));
});
