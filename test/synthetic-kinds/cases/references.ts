// References that cannot be: told with their place before anything is asked of the service.
import { afterAll, describe, expect, test } from 'vitest';
import { syntheticDesk, leave } from '../desk.ts';

afterAll(leave);

const file = (items: string): string => `version: 1
projects:
  lab: { id: lab-1, crates: { west: {} } }
  shop:
    id: shop-1
    crates:
      north: { boxes: { tools: { items: ${items} } } }
`;

describe('a reference is refused', () => {
  test.each([
    {
      to: 'what no file declares',
      items: '{ hammer: { holds: nial }, nail: {} }',
      says: 'unknown_reference: holds refers to\n  shop/crates/north/boxes/tools/items/nial, which no file declares',
      hint: 'Did you mean shop/crates/north/boxes/tools/items/nail?',
    },
    {
      to: 'what is nowhere near',
      items: '{ hammer: { holds: far/away/from } }',
      says: 'unknown_reference: holds refers to\n  shop/crates/far/boxes/away/items/from, which no file declares',
      hint: 'Declare the resource, or write the id of a live resource.',
    },
    {
      to: 'another project',
      items: '{ hammer: { holds: "lab:west" } }',
      says: 'reference_across_projects: holds refers to\n  lab/crates/west, which is not in shop',
      hint: 'Resources can refer only to resources of their own project.',
    },
    {
      to: 'itself',
      items: '{ hammer: { holds: hammer } }',
      says: 'reference_to_itself: holds refers to\n  shop/crates/north/boxes/tools/items/hammer, which is the resource itself',
      hint: 'Remove the reference: the id is not known before the resource is created.',
    },
    {
      to: 'what is to go',
      items: '{ hammer: { holds: nail }, nail: { state: absent } }',
      says: 'reference_to_absent: holds refers to\n  shop/crates/north/boxes/tools/items/nail, which has state: absent',
      hint: 'Remove the reference, or remove that state: absent.',
    },
  ])('to $to', async ({ items, says, hint }) => {
    const { code, err, wire } = await (await syntheticDesk(file(items))).run('plan');
    expect({ code, wire }).toEqual({ code: 1, wire: [] });
    expect(err).toContain(`trueup.yaml:7:60: error ${says}\n`);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`hint: ${hint} `);
  });

  test('where each waits for the next', async () => {
    const desk = await syntheticDesk(file('{ hammer: { holds: nail }, nail: { holds: hammer } }'));
    const { code, err, out } = await desk.run('plan', '--target', 'shop');
    expect(code, out).toBe(1);
    expect(err).toContain(
      'error reference_ring: these changes depend on each other in a\n  cycle, so none of them can run first:',
    );
    expect(err).toContain('hint: Remove one of the references, apply, then write that reference again.\n');
  });
});
