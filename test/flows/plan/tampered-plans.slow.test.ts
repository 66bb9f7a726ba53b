// A saved plan of every kind of resource, with each of its members tampered with in turn: refused, or it does what it shows.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  canonicalJson,
  digestOf,
  parseJson,
  stringifyJson,
  type Json,
  type JsonObject,
} from '../../../src/base/json.ts';
import { Secret } from '../../../src/base/secret.ts';
import { signedPlan, requireSignature } from '../../../src/cli/plans/signature.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { planJson } from '../../../src/plan/json/forms.ts';
import { ALL_RULES, savedPlanOfAllKinds } from './support/all-kinds.ts';
import { sampleOf } from '../../support/full-size.ts';

type Loose = Json | Loose[] | { [key: string]: Loose };
type Place = { [key: string]: Loose };
type Path = readonly string[];

const open = (json: Json): ReturnType<typeof openPlan> => openPlan(json, { kinds: ALL_RULES, toolVersion: '0.1.0' });

/** What may be done to the member `key` of `parent`; false where it cannot be done there. */
const TAMPERING: Readonly<Record<string, (parent: Place, key: string) => boolean | void>> = {
  drop: (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  },
  change: (parent, key) => {
    parent[key] = changed(parent[key] as Loose);
  },
  'make null': (parent, key) => {
    parent[key] = null;
  },
  'make another type': (parent, key) => {
    parent[key] = retyped(parent[key] as Loose);
  },
  add: (parent, key) => {
    const value = parent[key];
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) value.push(structuredClone(value[0] ?? 'more'));
    else (value as Place)['more'] = 'more';
    return true;
  },
  'add a name that all objects have': (parent, key) => {
    const value = parent[key];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const name of ['constructor', '__proto__', 'toString'])
      Object.defineProperty(value, name, { value: { polluted: true }, enumerable: true, configurable: true });
    return true;
  },
  'swap between two entries': (parent, key) => {
    const value = parent[key];
    if (!Array.isArray(value)) return false;
    const [one, ...others] = value as Place[];
    const other = others.find((entry) => canonicalJson(entry as Json) !== canonicalJson(one as Json));
    if (typeof one !== 'object' || typeof other !== 'object') return false;
    for (const name of [
      'address',
      'change',
      'trueup',
      'body',
      'path',
      'method',
      'expects',
      'achieves',
      'spec',
      'id',
      'pin',
      'options',
    ])
      if (name in one && name in other) [one[name], other[name]] = [other[name] as Loose, one[name] as Loose];
    return true;
  },
  'swap with what stands beside it': (parent, key) => {
    const keys = Object.keys(parent);
    const other = keys[keys.indexOf(key) + 1];
    if (other === undefined) return false;
    [parent[key], parent[other]] = [parent[other] as Loose, parent[key] as Loose];
    return true;
  },
};

function changed(value: Loose): Loose {
  if (Array.isArray(value)) return value.toReversed().slice(value.length > 1 ? 0 : 1);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).slice(1));
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return value === null ? 'more' : `${value}x`;
}

function retyped(value: Loose): Loose {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  if (typeof value === 'object') return [value];
  return typeof value === 'string' ? 7 : String(value);
}

function placeOf(whole: Place, path: Path): Place {
  let at = whole;
  for (const key of path) at = at[key] as Place;
  return at;
}

/** The document with its digest as it has to be. */
function mended(whole: Place): Place {
  const ours = whole['trueup'];
  if (typeof ours !== 'object' || ours === null || Array.isArray(ours)) return whole;
  const { plan_digest: _digest, ...details } = ours as Place;
  const rest = { ...whole, trueup: details } as Place;
  return { ...rest, trueup: { ...details, plan_digest: digestOf(rest) } };
}

/** `text`: the document as canonical JSON. */
function tampered(text: string, path: Path, how: string): Json | null {
  const whole = JSON.parse(text) as Place;
  const key = path.at(-1) ?? '';
  if (TAMPERING[how]?.(placeOf(whole, path.slice(0, -1)), key) === false) return null;
  const json = (key === 'plan_digest' ? whole : mended(whole)) as Json;
  return canonicalJson(json) === text ? null : json;
}

function pathsOf(value: Loose, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** Of members that stand at the same place of several entries, one: the others are alike. */
function oneOfEach(paths: readonly Path[]): readonly Path[] {
  const shapeOf = (path: Path): string => path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join(' ');
  return [...new Map(paths.map((path) => [shapeOf(path), path])).values()];
}

/** What a plan is made from, and what is held against the run before anything is sent: all else has to follow from that. */
const GIVEN = /^trueup\.(?:made_from|base_url|tool_version|files)(?:\.|$)/;

const KEY = new Secret('a key that nobody guesses');

let saved: Json = null;
let places: readonly Path[] = [];
let steps = '';
beforeAll(async () => {
  saved = await savedPlanOfAllKinds();
  places = oneOfEach(pathsOf(saved).slice(1));
  const opened = open(saved);
  if ('problem' in opened) throw new Error(opened.problem);
  steps = canonicalJson(opened.plan.steps.map((step) => planJson.write(step, 'PlanStep')));
});

describe('a saved plan of all kinds', () => {
  it('holds them all', () => {
    const { resource_changes: changes } = saved as unknown as { resource_changes: readonly { type: string }[] };
    expect([...new Set(changes.map(({ type }) => type))].toSorted()).toEqual([
      'api_key',
      'branch',
      'compute',
      'connection',
      'database',
      'project',
      'project_permission',
      'role',
    ]);
    expect(places.length).toBeGreaterThan(300);
  });

  it.each(Object.keys(TAMPERING))('is refused, or does what it did, and nothing else is shown: %s', (how) => {
    let refused = 0;
    // Each is dropped or changed; what else may be done to it is shared out among them.
    const common = ['drop', 'change'];
    const shares = common.includes(how) ? common : Object.keys(TAMPERING).filter((one) => !common.includes(one));
    const turn = shares.indexOf(how);
    const text = canonicalJson(saved);
    const shared = places.filter((_, at) => at % shares.length === turn || how.includes('entries'));
    for (const path of common.includes(how) ? sampleOf(shared, 4) : shared) {
      const json = tampered(text, path, how);
      if (json === null) continue;
      const opened = open(json);
      if ('problem' in opened) {
        expect(opened.problem).not.toMatch(/undefined|object Object/);
        refused++;
        continue;
      }
      expect(path.join('.')).toMatch(GIVEN);
      expect(canonicalJson(opened.plan.steps.map((step) => planJson.write(step, 'PlanStep'))), path.join('.')).toBe(
        steps,
      );
    }
    expect(refused).toBeGreaterThan(5);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('that is signed is refused, wherever it is changed', () => {
    const signed = signedPlan(saved as JsonObject, KEY);
    requireSignature(signed, 'plan.json', KEY);
    const text = canonicalJson(signed);
    for (const path of sampleOf(places, 4)) {
      const json = tampered(text, path, 'change');
      if (json === null) continue;
      expect(() => requireSignature(json, 'plan.json', KEY), path.join('.')).toThrow('plan.json');
    }
  });

  it('is refused where a name stands twice in one place', () => {
    for (const path of places) {
      const value = placeOf(saved as unknown as Place, path) as Loose;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      const [name] = Object.keys(value);
      if (name === undefined) continue;
      const marked = structuredClone(saved) as unknown as Place;
      placeOf(marked, path)['twice'] = 'twice';
      const text = stringifyJson(marked).replace('"twice":"twice"', `${JSON.stringify(name)}:null`);
      expect(() => parseJson(text), path.join('.')).toThrow(SyntaxError);
    }
  });
});
