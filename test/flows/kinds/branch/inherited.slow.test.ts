// A saved plan of copies that differ from where they come from goes on after a run that was cut off anywhere.
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../support/site.ts';
import { ALL_OF_IT, CASES, file, world } from './differing.ts';
import { isFullSize } from '../../../support/full-size.ts';

const ALL = 'some of all that';

describe.each([...Object.entries(CASES), [ALL, ALL_OF_IT] as const])(
  'a saved plan of %s',
  (what, { fork, allow = [] }) => {
    it('goes on where a run before was cut off at any call', async () => {
      // Every second of them in the one that has some of all; of the others, in turn, some.
      const stride = isFullSize ? 1 : what === ALL ? 2 : 6;
      for (let call = 1 + (what.length % stride); ; call += stride) {
        const site = openSite({ seed: world });
        const plan = await site.plan(file(fork), allow);
        const { calls, ran } = await site.live({ file: file(fork), allow }, { call, when: 'after' });
        const again = await site.saved(plan);
        expect([call, again.result.status]).toEqual([call, 'converged']);
        expect((await site.plan(file(fork))).steps).toEqual([]);
        if (ran !== null && calls.length < call) break;
      }
    });
  },
);
