// Machine outputs: valid by their schemas, the same after a trip through JSON, and stable where tools rely on it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Event as validEvent, Result as validResult } from '../../../src/model/generated/validators.js';
import type { DriftReport, NotCompared } from '../../../src/model/outcome/drift.ts';
import { jsonText } from '../../../src/render/machine/diagnostics-json.ts';
import { renderEnv } from '../../../src/render/tables/resources.ts';
import { renderJunit } from '../../../src/render/machine/junit.ts';
import { eventLine, versionLine } from '../../../src/render/machine/ndjson.ts';
import { renderPrometheus } from '../../../src/render/machine/prometheus.ts';
import { resultToJson } from '../../../src/render/machine/result-json.ts';
import { resultFromJson } from '../../../src/render/machine/saved-result.ts';
import { driftToSarif } from '../../../src/render/machine/sarif.ts';
import { FACTS } from './every.ts';
import { HOSTILE, poisoned } from './hostile.ts';
import { DRIFT, IN_SYNC } from './reports.ts';
import { CONVERGED, EVENTS, RESULT } from './runs.ts';
import { AT, FULL_PLAN } from './worlds.ts';

const RESOURCES = new Map(FULL_PLAN.changes.map((change) => [change.address, change]));

describe('events', () => {
  it('begins with its version', () => {
    const value: unknown = JSON.parse(versionLine('0.1.0', AT));
    expect(validEvent(value), JSON.stringify(validEvent.errors)).toBe(true);
  });

  it.each(Object.entries(HOSTILE))('stays valid and one line with %s', (_, text) => {
    for (const event of EVENTS) {
      const line = eventLine(poisoned(event, text), RESOURCES).trimEnd();
      expect(line).not.toContain('\n');
      expect(validEvent(JSON.parse(line)), JSON.stringify(validEvent.errors)).toBe(true);
    }
  });
});

describe('result', () => {
  it.each([
    ['incomplete', RESULT],
    ['converged', CONVERGED],
  ])('%s is as its schema says and comes back the same', (_, result) => {
    const value: unknown = JSON.parse(jsonText(resultToJson(result)));
    expect(validResult(value), JSON.stringify(validResult.errors)).toBe(true);
    expect(resultFromJson(value)).toEqual(result);
  });

  it('is refused when it is something else', () => {
    expect(resultFromJson({ status: 'converged' })).toBeUndefined();
    const text = jsonText(resultToJson(RESULT));
    const timeless = text.replace(/("started_at": ?)"[^"]*"/, '$1"soon"');
    expect([timeless === text, resultFromJson(JSON.parse(timeless))]).toEqual([false, undefined]);
  });
});

describe('JSON text', () => {
  it('means the same as the value, whatever its texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(jsonText({ [text]: text }))).toEqual({ [text]: text });
      }),
    );
  });

  it('keeps ids beyond 2^53', () => {
    expect(jsonText({ id: 9007199254740993n })).toBe('{"id":9007199254740993}');
  });
});

it('JUnit has a resource once: what was not compared has not passed', () => {
  const [{ address }] = DRIFT.notCompared as readonly [NotCompared];
  const options = { ...FACTS, matching: [address, 'shop/alike'] };
  const names = [...renderJunit(DRIFT, options).matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)];
  expect(names.filter(([, name]) => name === address).map(([, , word]) => word)).toEqual(['drift.not_compared']);
  expect(names.find(([, name]) => name === 'shop/alike')?.[2]).toBe('drift.matching');
});

describe('SARIF', () => {
  interface Sarif {
    readonly runs: readonly [
      {
        readonly results: readonly {
          readonly message: { readonly text: string };
          readonly partialFingerprints: { readonly 'trueup/v1': string };
          readonly locations: readonly [
            {
              readonly physicalLocation: {
                readonly artifactLocation: { readonly uri: string };
                readonly region: { readonly startLine: number };
              };
            },
          ];
        }[];
      },
    ];
  }
  const sarif = (report: DriftReport): Sarif => JSON.parse(jsonText(driftToSarif(report, '0.1.0', FACTS))) as Sarif;

  it('keeps a finding its fingerprint when its values or its line change', () => {
    const [first] = DRIFT.changed;
    if (first === undefined) throw new Error('no sample');
    const later = {
      ...DRIFT,
      changed: [{ ...first, source: null, attributes: first.attributes.map((one) => ({ ...one, before: 2 })) }],
    };
    const print = (report: DriftReport): string | undefined =>
      sarif(report).runs[0].results[0]?.partialFingerprints['trueup/v1'];
    expect(print(later)).toBe(print(DRIFT));
  });

  it('has no link in a message, whatever the files say', () => {
    for (const text of ['[click](https://evil.example/x)', '[a\\](b) [c] (d)']) {
      const messages = JSON.stringify(sarif(poisoned(DRIFT, text)).runs[0].results.map((one) => one.message));
      expect(messages).toContain('] (');
      expect(messages).not.toContain('](');
    }
  });

  it('names what a removal removes, by its live name and its id', () => {
    const [first] = DRIFT.changed;
    if (first === undefined) throw new Error('no sample');
    const removal = { ...first, action: 'delete', before: { name: 'important' }, resourceId: 'ep-7' } as const;
    const [found] = sarif({ ...DRIFT, changed: [removal] }).runs[0].results;
    expect(found?.message.text).toContain('"important" (ep-7)');
  });

  it('gives every finding a print of its own', () => {
    const prints = sarif(DRIFT).runs[0].results.map((result) => result.partialFingerprints['trueup/v1']);
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe('Prometheus', () => {
  const options = { nowMs: AT, seconds: 1, requests: 3 };
  const success = (text: string): string | undefined =>
    /^trueup_drift_last_success_timestamp_seconds (\S+)$/m.exec(text)?.[1];

  it('keeps the last success over a run that could not read everything', () => {
    const before = renderPrometheus(IN_SYNC, null, options);
    const incomplete: DriftReport = {
      ...IN_SYNC,
      status: 'incomplete',
      unread: [{ what: 'shop', projectId: null, reason: '503' }],
    };
    const after = renderPrometheus(incomplete, before, { ...options, nowMs: AT + 60_000 });
    expect(success(after)).toBe(String(AT / 1000));
    expect(after).toContain(`trueup_drift_last_run_timestamp_seconds ${(AT + 60_000) / 1000}`);
    expect(success(renderPrometheus(incomplete, null, options))).toBeUndefined();
  });

  it('writes nothing but comments and samples, whatever the names', () => {
    for (const text of Object.values(HOSTILE)) {
      const lines = renderPrometheus(poisoned(DRIFT, text), null, options).trimEnd().split('\n');
      const odd = lines.filter(
        (line) => !/^(?:# (?:HELP|TYPE) |[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)+\})? [0-9.]+$)/.test(line),
      );
      expect(odd).toEqual([]);
    }
  });
});

describe('variables', () => {
  const one = { id: 'ep-a-1', columns: { branch_id: null, state: null, host: 'a.example.com' }, pinned: true };

  it('leaves out addresses that come to the same name', () => {
    expect(renderEnv({ 'shop/a-b': one, 'shop/a_b': one, 'shop/c': one })).toBe(
      '# left out, because all map to SHOP_A_B: shop/a-b, shop/a_b\nSHOP_C_ID=ep-a-1\nSHOP_C_HOST=a.example.com\n',
    );
  });

  it('marks what is a label of interchangeable ones', () => {
    expect(renderEnv({ 'shop/c': { ...one, pinned: false } })).toBe(
      '# pinned: false: shop/c may match another replica next time (trueup pin)\nSHOP_C_ID=ep-a-1\nSHOP_C_HOST=a.example.com\n',
    );
  });

  it('quotes what a shell would act upon', () => {
    expect(renderEnv({ '1/x': { ...one, columns: { host: "$(reboot)'`" } } })).toBe(
      "_1_X_ID=ep-a-1\n_1_X_HOST='$(reboot)'\\''`'\n",
    );
  });
});
