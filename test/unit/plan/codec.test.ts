// The codec of plans and reports: names, times, defaults and maps by the schema, and nothing that the schema does not name.
import { describe, expect, it } from 'vitest';
import { planJson } from '../../../src/plan/json/forms.ts';

const SOURCE = { line: 3, column: 5, offset: 0 };
const RANGE = { file: 'a:b.yaml', start: SOURCE, end: SOURCE };
const HOLD = { path: 'name', value: 1, untilMs: 0, reason: 'r', source: RANGE };
const SOURCES = { name: { ...RANGE, profile: 'prod', over: RANGE }, size: RANGE };
const RESOURCE = {
  kind: 'compute',
  address: 'shop/a',
  scope: 'shop',
  name: 'a',
  pin: null,
  absent: false,
  isNew: true,
  movedFrom: null,
  spec: { some_name: 1, otherName: 2 },
  lifecycle: { protect: false, ignore: [], hold: [HOLD], via: null },
  options: {},
  source: RANGE,
  sources: () => SOURCES,
};
const PLACE = { file: 'a:b.yaml', line: 3, column: 5 };
const JSON_OF_RESOURCE = {
  kind: 'compute',
  address: 'shop/a',
  scope: 'shop',
  name: 'a',
  new: true,
  spec: { some_name: 1, otherName: 2 },
  lifecycle: { hold: [{ path: 'name', value: 1, until: '1970-01-01T00:00:00.000Z', reason: 'r', source: PLACE }] },
  source: PLACE,
  sources: { name: { ...PLACE, profile: 'prod', over: PLACE }, size: PLACE },
};

const readResource = (json: unknown): object => {
  const { sources, ...resource } = planJson.read(json, 'PlanDesiredResource') as typeof RESOURCE;
  return { ...resource, sources: sources() };
};

describe('a declared resource', () => {
  it('has the members of the schema in their order, without defaults', () => {
    const json = planJson.write(RESOURCE, 'PlanDesiredResource');
    expect(JSON.stringify(json)).toBe(JSON.stringify(JSON_OF_RESOURCE));
  });

  it('is read back with its defaults', () => {
    expect(readResource(JSON_OF_RESOURCE)).toEqual({ ...RESOURCE, sources: SOURCES });
  });

  it.each(['took_over', 'isNew', 'is_new', 'constructor', '__proto__'])('has no member %s', (name) => {
    const json: unknown = JSON.parse(JSON.stringify(JSON_OF_RESOURCE).replace('{', `{${JSON.stringify(name)}:false,`));
    expect(readResource(json)).toEqual({ ...RESOURCE, sources: SOURCES });
  });
});

it('keeps names of maps and values as they are', () => {
  const reading = {
    projects: [],
    resources: [],
    histories: new Map([['proj_a', { complete: true, operations: [] }]]),
    unread: [],
    facts: new Map([['role', { some_fact: { inUse: true } }]]),
  };
  const json = planJson.write(reading, 'PlanReading');
  expect(json).toMatchObject({
    histories: { proj_a: { complete: true } },
    facts: { role: { some_fact: { inUse: true } } },
  });
  expect(planJson.read(json, 'PlanReading')).toEqual(reading);
});
