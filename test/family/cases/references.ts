// References that cannot be: told with their place before anything is asked of the service.
import { afterAll, describe, expect, test } from 'vitest';
import { familyDesk, leave } from '../desk.ts';

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
      hint: 'Declare it, or write the id of one that lives.',
    },
    {
      to: 'another project',
      items: '{ hammer: { holds: "lab:west" } }',
      says: 'reference_across_projects: holds refers to\n  lab/crates/west, which is not of shop',
      hint: 'Resources refer to those of their own project only.',
    },
    {
      to: 'itself',
      items: '{ hammer: { holds: hammer } }',
      says: 'reference_to_itself: holds refers to\n  shop/crates/north/boxes/tools/items/hammer, which is itself',
      hint: 'Leave it out: nobody knows its id before it is made.',
    },
    {
      to: 'what is to go',
      items: '{ hammer: { holds: nail }, nail: { state: absent } }',
      says: 'reference_to_absent: holds refers to\n  shop/crates/north/boxes/tools/items/nail, which shall be absent',
      hint: 'Leave the reference out, or keep what it refers to.',
    },
  ])('to $to', async ({ items, says, hint }) => {
    const { code, err, wire } = await (await familyDesk(file(items))).run('plan');
    expect({ code, wire }).toEqual({ code: 1, wire: [] });
    expect(err).toContain(`trueup.yaml:7:60: error ${says}\n`);
    expect(err).toContain(`hint: ${hint}\n`);
  });

  test('where each waits for the next', async () => {
    const desk = await familyDesk(file('{ hammer: { holds: nail }, nail: { holds: hammer } }'));
    const { code, err, out } = await desk.run('plan', '--target', 'shop');
    expect(code, out).toBe(1);
    expect(err).toContain('error reference_ring: each of these waits for the next, so\n  none can go first:');
    expect(err).toContain('hint: leave one of the references out, apply, and add it then\n');
  });
});
