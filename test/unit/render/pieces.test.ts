// The pieces under the renderers: frames, widths, layouts and limits.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { codeFrame, renderDiagnostics } from '../../../src/render/human/diagnostics.ts';
import { guardChangeGroups, guardChangeTexts } from '../../../src/render/view/guard-texts.ts';
import { renderReportMarkdown } from '../../../src/render/markdown/report.ts';
import { planReport } from '../../../src/render/report/plan-report.ts';
import { resultReport } from '../../../src/render/report/result-report.ts';
import type { Comparison } from '../../../src/model/outcome/guard.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { renderReport } from '../../../src/render/human/report.ts';
import { nameText, shown } from '../../../src/render/text/escape.ts';
import { sidesText } from '../../../src/render/text/sides.ts';
import { columnsOf } from '../../../src/render/text/width.ts';
import { applyLog, CONTEXT, OPTIONS } from './every.ts';
import { CONVERGED, EVENTS } from './runs.ts';
import { AT, change, FULL_PLAN, plan, rangeAt } from './worlds.ts';

function planMarkdown(plan: Plan, maxChars: number, comparison: Comparison | null = null): string {
  return renderReportMarkdown(planReport(plan, CONTEXT, comparison), maxChars);
}

function resultText(result: RunResult): string {
  return renderReport(resultReport(result), OPTIONS);
}

describe('code frames', () => {
  const frame = (text: string, column: number, length: number, width: number = 60): string[] =>
    codeFrame(
      {
        file: 'f',
        start: { line: 2, column, offset: text.indexOf('\n') + column },
        end: { line: 2, column: column + length, offset: 0 },
      },
      { sources: new Map([['f', text]]), width, color: false },
    );

  it.each([
    ['plain', 'a: 1\nbcd: 2\ne: 3', 1, 3, '^^^'],
    ['tabs', 'a: 1\n\t\tbcd: 2', 3, 3, '    ^^^'],
    ['wide characters', 'a: 1\n漢字: 2', 1, 2, '^^^^'],
    ['the end of the line', 'a: 1\nbcd', 4, 0, '   ^'],
  ])('puts the caret under %s', (_, text, column, length, caret) => {
    const line = frame(text, column, length).find((one) => one.includes('^'));
    expect(line?.slice(line.indexOf('|') + 2)).toBe(caret);
  });

  it('cuts long lines around the problem', () => {
    const lines = frame(`a\n${'x'.repeat(100_000)}HERE${'y'.repeat(100_000)}`, 100_001, 4);
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(60);
    const [text, caret] = [
      lines.find((one) => one.startsWith('>')) ?? '',
      lines.find((one) => one.includes('^')) ?? '',
    ];
    expect(text.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
  });
});

it('diagnostics prints twenty and counts the rest', () => {
  const many = Array.from({ length: 33 }, (_, at) => ({
    severity: 'error' as const,
    code: 'unknown_key',
    message: `unknown key k${at}`,
    range: rangeAt(at + 1, 3),
  }));
  const text = renderDiagnostics(many, { ...OPTIONS, sources: new Map() });
  expect(text.match(/error unknown_key/g)).toHaveLength(20);
  expect(text).toContain('… and 13 more: 33 errors');
  expect(text.split('\n')[0]).toBe('trueup.yaml:1:3: error unknown_key: unknown key k0');
});

describe('texts', () => {
  it.each([
    ['shop/primary', 'shop/primary'],
    ['two words', '"two words"'],
    ['a\u001b[0m', '"a\\u{1b}[0m"'],
    ['::error::x', '"\\u{3a}:error::x"'],
    ['', '""'],
  ])('names %j as %s', (name, expected) => {
    expect(nameText(name)).toBe(expected);
  });

  it('disarms a runner command that wrapping could bring to the start of a line', () => {
    expect(shown('see ::stop-commands::x and ##[group]')).toBe('see \\u{3a}:stop-commands::x and \\u{23}#[group]');
  });

  it.each(['connect ECONNREFUSED ::1:4999', 'at :: port 1', '::ffff:1.2.3.4'])(
    'leaves an address as it is: %s',
    (text) => {
      expect(shown(text)).toBe(text);
    },
  );
});

describe('both sides of a change', () => {
  const addresses = Array.from({ length: 60 }, (_, at) => `203.0.113.${at}`);

  it('show the entry of a long list that changes, wherever it stands', () => {
    expect(sidesText([...addresses, '198.51.100.7'], [...addresses, '0.0.0.0/0'], 80)).toEqual([
      '[…60 unchanged,"198.51.100.7"]',
      '[…60 unchanged,"0.0.0.0/0"]',
    ]);
  });

  it('show short lists and other values whole', () => {
    expect(sidesText(['a', 'b'], ['b'], 80)).toEqual(['["a","b"]', '["b"]']);
    expect(sidesText(null, ['a'], 80)).toEqual(['(not set)', '["a"]']);
  });
});

it('progress beats at most every ten seconds in a log', () => {
  const [start] = EVENTS.filter(({ type }) => type === 'apply_start');
  const [progress] = EVENTS.filter(({ type }) => type === 'apply_progress');
  if (start === undefined || progress === undefined) throw new Error('no sample');
  const looks = Array.from({ length: 60 }, (_, at) => ({ ...progress, atMs: AT + at * 1000 }));
  const lines = applyLog([{ ...start, atMs: AT }, ...looks], false)
    .trimEnd()
    .split('\n');
  expect(lines.filter((line) => line.startsWith('Still waiting'))).toHaveLength(5);
});

it('the end of an apply says what helps, and blames no read-back, where only a place could not be used', () => {
  const message = 'exec:b cannot be used: check left with code 1: sealed';
  const one = {
    address: 'shop/branches/main/connections/app',
    action: 'refill',
    outcome: 'failed',
    message,
  } as const;
  const result = { ...CONVERGED, status: 'incomplete', upkeep: [{ ...one, sinks: ['exec:b'] }] } as const;
  expect(resultText(result)).toContain('\nNext: fix what "Tasks of every apply" names');
  const markdown = renderReportMarkdown(resultReport(result), 65_536);
  expect(markdown).toContain('#### Tasks of every apply');
});

describe('Markdown', () => {
  const large = plan(
    Array.from({ length: 1000 }, (_, at) =>
      change({
        address: `p${at % 50}/r${at}`,
        action: at % 20 === 0 ? 'delete' : 'update',
        impact: at % 20 === 0 ? ['permanent'] : ['none'],
        attributes: [{ path: 'autoscaling_limit_max_cu', before: 1, after: at, restarts: false }],
      }),
    ),
  );

  it.each([65_536, 5000, 700])('fits %i characters, verdict and counts kept', (maxChars) => {
    for (const value of [FULL_PLAN, large]) {
      const text = planMarkdown(value, maxChars);
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text).toMatch(/### Plan: \d+ to add, \d+ to change, \d+ to destroy\./);
      expect(text).toContain('| add | change | destroy |');
    }
  });

  it('lists as many changes as fit when not all of them do, and counts the rest', () => {
    const many = Array.from({ length: 5000 }, (_, at) => change({ address: `shop/r${at}`, action: 'update' }));
    const text = planMarkdown(plan(many), 65_536);
    const listed = text.match(/^~ shop\/r/gm)?.length ?? 0;
    expect(text.length).toBeGreaterThan(60_000);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain(`… and ${5000 - listed} more changes.`);
  });

  it.each([65_536, 10_000, 2500])(
    'shows in %i characters which guards go, whatever else a change brings',
    (maxChars) => {
      const many = Array.from({ length: 3000 }, (_, at) =>
        change({ address: `shop/gone-${at}`, action: 'delete', impact: ['permanent', 'no_primary'] }),
      );
      const guard = { project: null, before: null, after: null } as const;
      const added = Array.from({ length: 60 }, (_, at) => ({
        ...guard,
        guard: 'protect',
        change: 'added' as const,
        address: `shop/p${at}`,
        after: true,
      }));
      const gone = { ...guard, guard: 'max_deletes', change: 'removed' as const, address: null, before: 1 };
      const comparison = {
        fromThisChange: [],
        alreadyPending: [],
        noLongerManaged: [],
        guardsChanged: [...added, gone],
      };
      const text = planMarkdown(plan(many), maxChars, comparison);
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text).toContain('#### Guards changed\n\n- `removed: max_deletes (was 1)`');
      expect(text).toMatch(/^- `added: protect of shop\/p0, .* and 50 more`$/m);
    },
  );

  it('names in a cut comment each word of the guards that changed, however many of another there are', () => {
    const own = { project: 'shop', before: true, after: null } as const;
    const gone = Array.from({ length: 60 }, (_, at) => ({ ...own, address: `shop/c${at}` }));
    const aged = { ...own, change: 'added' as const, guard: 'restart', before: null, after: { max_age: '365d' } };
    const guardsChanged = [
      ...gone.map((one) => ({ ...one, change: 'removed' as const, guard: 'protect' })),
      ...gone.map(({ address }) => ({ ...aged, address })),
      { ...own, project: null, change: 'removed' as const, guard: 'protect', address: '*/**' },
      { ...own, change: 'changed' as const, guard: 'secret', address: 'api_keys/ci', before: 'a', after: 'b' },
      {
        ...own,
        change: 'changed' as const,
        guard: 'prune',
        address: null,
        before: { types: ['read_only'] },
        after: true,
      },
    ];
    const comparison = { fromThisChange: [], alreadyPending: [], noLongerManaged: [], guardsChanged };
    const many = Array.from({ length: 3000 }, (_, at) => change({ address: `shop/new-${at}`, action: 'create' }));
    const text = planMarkdown(plan(many), 8000, comparison);
    const lines = text.split('#### Guards changed\n\n')[1]?.split('\n').slice(0, 4);
    expect(lines).toEqual([
      '- `changed: prune of shop: {"types":["read_only"]} → true`',
      expect.stringMatching(/^- `removed: protect of \*\/\*\*, shop\/c0, .* and 51 more`$/),
      '- `changed: secret of api_keys/ci: a → b`',
      expect.stringMatching(/^- `added: restart of shop\/c0, .* and 50 more`$/),
    ]);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'a hold with a long reason',
      { path: 'disabled', reason: 'r'.repeat(300), until: '2099-01-01T00:00:00.000Z' },
      { path: 'disabled', reason: 'r'.repeat(300), until: '2027-01-01T00:00:00.000Z' },
      'until "2099-01-01T00:00:00.000Z" → "2027-01-01T00:00:00.000Z"',
    ],
    [
      'a long list',
      { branches: Array.from({ length: 90 }, (_, at) => `a${at}`) },
      { branches: Array.from({ length: 91 }, (_, at) => `a${at}`) },
      ',"a89"] → ["a0",',
    ],
    ['long texts', { reason: `${'r'.repeat(300)}a` }, { reason: `${'r'.repeat(300)}b` }, 'ra → rr'],
  ])('shows what differs between two mappings, however long they are: %s', (_name, before, after, words) => {
    const own = { change: 'changed' as const, guard: 'prune', project: 'shop', address: null, before, after };
    const comparison = { fromThisChange: [], alreadyPending: [], noLongerManaged: [], guardsChanged: [own] };
    const [text = ''] = guardChangeTexts(comparison);
    expect(text).toContain(words);
    expect(text).not.toContain('…');
    expect(planMarkdown(plan([]), 65_536, comparison)).toContain(`- \`${text}\``);
  });

  it('names each place once in few lines, however many guards it has', () => {
    const own = { change: 'removed' as const, guard: 'hold', project: 'shop', before: 1, after: null };
    const guardsChanged = ['a', 'a', 'a', 'b'].map((name) => ({ ...own, address: `shop/${name}` }));
    expect(guardChangeGroups({ guardsChanged })).toEqual([
      { text: 'removed: hold of shop/a, shop/b', brief: 'removed: hold (4)' },
    ]);
  });

  it('lists all guards that change where all has room, what lets more happen first', () => {
    type Other = Parameters<typeof guardChangeTexts>[0]['guardsChanged'][number];
    const other = (word: Other['change'], guard: string, address: string | null = null): Other => ({
      change: word,
      guard,
      address,
      project: 'shop',
      before: word === 'added' ? null : 1,
      after: word === 'removed' ? null : 2,
    });
    const least = ['removed', 'added'].flatMap((word) =>
      Array.from({ length: 60 }, (_, at) => other(word as Other['change'], 'ignore', `shop/c${at}`)),
    );
    const guardsChanged = [
      ...least,
      other('removed', 'protect', 'shop/c0'),
      other('added', 'secret', 'shop/c1'),
      other('tightened', 'max_restarts'),
      other('removed', 'prune'),
      other('loosened', 'max_deletes'),
      other('added', 'prune'),
      other('removed', 'expect'),
    ];
    const texts = guardChangeTexts({ guardsChanged }).map((text) => text.split(/ of|:? \(/)[0]);
    expect(texts.slice(0, 5)).toEqual([
      'removed: expect',
      'added: prune',
      'loosened: max_deletes',
      'removed: protect',
      'added: secret',
    ]);
    expect(texts.slice(5, 65)).toEqual(Array.from({ length: 60 }, () => 'removed: ignore'));
    const comparison = { fromThisChange: [], alreadyPending: [], noLongerManaged: [], guardsChanged };
    const text = planMarkdown(plan([]), 65_536, comparison);
    expect(text.match(/^- `(added|removed|loosened|tightened): /gm)).toHaveLength(guardsChanged.length);
  });

  describe('of what guards hold back, since the hash covers what a window opens', () => {
    const held = change({
      address: 'shop/r-held',
      action: 'update',
      impact: ['drops_connections'],
      attributes: [{ path: 'autoscaling_limit_max_cu', before: 1, after: 8, restarts: true }],
      blockedBy: ['window'],
    });
    const comparison = { fromThisChange: [held.address], alreadyPending: [], noLongerManaged: [], guardsChanged: [] };

    it.each([
      ['a plan', null],
      ['a plan that is compared', comparison],
    ])('shows values and effects in %s', (_, compared) => {
      const text = planMarkdown(plan([held]), 65_536, compared);
      expect(text).toContain('| 🔶 | `shop/r-held` | update (blocked: window) | drops open connections |');
      expect(text).toContain('+     autoscaling_limit_max_cu: 8');
    });

    it('leaves what runs its room, with the limit that is exceeded', () => {
      const many = Array.from({ length: 700 }, (_, at) => ({ ...held, address: `shop/r${at}` }));
      const running = Array.from({ length: 20 }, (_, at) => change({ address: `shop/run${at}`, action: 'update' }));
      const over = { limit: 'max_restarts', project: null, allowed: 1, planned: 2, addresses: [] } as const;
      const text = planMarkdown(plan([...many, ...running], { limitsExceeded: [over] }), 65_536);
      expect(text.match(/^~ shop\/run/gm)).toHaveLength(20);
      expect(text).toContain('safety.max_restarts is 1');
    });
  });

  const dangers = (steps: number, pad: string, projects: number) =>
    Array.from({ length: steps }, (_, at) =>
      change({ address: `p${at % projects}/r${pad}${at}`, action: 'restart', impact: ['drops_connections'] }),
    );
  const inRoom = (changes: ReturnType<typeof dangers>): string => {
    const text = planMarkdown(plan(changes), 65_536);
    expect(text.length).toBeLessThanOrEqual(65_536);
    return text;
  };

  it.each([
    ['a row each', 700, '', 1, /^\| 🔶 \| `p0\/r699` \| restart \| drops open connections \|$/m],
    ['whole addresses', 2000, 'x'.repeat(10), 40, /restart\*\*; drops open connections \(2000 dangerous steps\):/],
    ['names by project', 2000, 'x'.repeat(25), 40, /^- `p39`: `rx{25}1039 rx{25}1079 /m],
    ['addresses, one in each project', 4600, '', 4600, /^- `.*p4599\/r4599/m],
  ])('names all dangerous steps, as %s, of %i', (_, steps, pad, projects, form) => {
    const changes = dangers(steps, pad, projects);
    const text = inRoom(changes);
    expect(form.test(text)).toBe(true);
    const words = new Set(text.split(/[^\w/]+/));
    const missing = changes.filter(({ address }) => !words.has(address) && !words.has(address.split('/')[1] ?? ''));
    expect(missing).toEqual([]);
  });

  it('of more than there is room for names as many as fit, and says how many it does not', () => {
    const changes = dangers(3000, 'x'.repeat(30), 40);
    const text = inRoom(changes);
    const named = text.match(/\brx{30}/g)?.length ?? 0;
    expect(named).toBeGreaterThan(1500);
    expect(text).toContain(`… and ${3000 - named} more dangerous steps.`);
    expect(text).toContain('`trueup show` on the saved plan shows everything');
  });
});
