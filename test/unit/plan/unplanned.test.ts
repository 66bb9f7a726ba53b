// What is live keeps one project from being planned, and no other; where nothing else is asked for, there is no plan.
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { planOf, type World } from './support/world.ts';

/** Of the projects, `lab` wants to move what is not there. */
const WORLD: World = {
  file: `shop: { computes: { a: { branch: br-1, max: 2 } } }\nlab: { computes: { b: { branch: br-3, moved_from: br-9 } } }`,
  live: `shop: { ep-1: { branch: br-1, max: 1 } }\nlab: { ep-2: { branch: br-2 } }`,
};

const GONE: Diagnostic = { severity: 'error', code: 'unknown_project', message: 'no such project', address: 'shop/*' };

describe('a project in trouble', () => {
  it('is set apart with what is to be said of it, and the others are planned', () => {
    const plan = planOf(WORLD);
    expect(plan.unplanned).toMatchObject([
      { project: 'lab', projectId: 'lab-1', diagnostics: [{ code: 'moved_from_empty' }] },
    ]);
    expect(plan.diagnostics).toEqual([]);
    expect(plan.steps.map(({ id }) => id)).toEqual(['update:shop/a']);
    expect(plan.changes.map(({ address }) => address)).toEqual(['shop/a']);
    expect(plan.unmanaged).toEqual([]);
  });

  it('is the whole plan’s where nothing else is asked for', () => {
    const plan = planOf({ ...WORLD, input: { target: ['lab/*'] } });
    expect(plan).toMatchObject({ unplanned: [], steps: [], diagnostics: [{ code: 'moved_from_empty' }] });
  });

  it('is nobody’s where it is not asked for', () => {
    expect(planOf({ ...WORLD, input: { exclude: ['lab/*'] } })).toMatchObject({ unplanned: [], diagnostics: [] });
  });

  it('may have been found while reading', () => {
    const plan = planOf({ ...WORLD, input: { problems: [GONE], exclude: ['lab/*'] } });
    expect(plan.diagnostics).toEqual([GONE]);
    const both = planOf({
      file: `${WORLD.file}\nclub: {}`,
      live: `${WORLD.live}\nclub: {}`,
      input: { problems: [GONE] },
    });
    expect(both.unplanned.map(({ project }) => project)).toEqual(['lab', 'shop']);
  });

  it('counts all the same towards a share of changes', () => {
    const many = Array.from({ length: 9 }, (_, at) => `r${at}: { branch: br-${at + 20} }`).join(', ');
    const world: World = {
      ...WORLD,
      file: `shop: { computes: { a: { branch: br-1, max: 2 } } }\nlab: { computes: { b: { branch: br-3, moved_from: br-9 }, ${many} } }`,
    };
    const shares = [8, 9].map((maxChangePercent) => planOf({ ...world, safety: [{ maxChangePercent }] }));
    expect(shares.map(({ limitsExceeded }) => limitsExceeded.map(({ planned }) => planned))).toEqual([[9.1], [9.1]]);
  });
});
