// The linter: its layer rules are those of the layer map, and it sees what it is there to see.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { format } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layerOverrides } from './lint-rules.ts';
import { root } from './source-tree.ts';

interface LintConfig {
  readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[];
}

const configFile = join(root, '.oxlintrc.json');

it('the layer rules in .oxlintrc.json are those of the layer map (UPDATE=1 writes them)', async () => {
  const config = JSON.parse(readFileSync(configFile, 'utf8')) as LintConfig;
  const isLayerRule = ({ rules }: LintConfig['overrides'][number]): boolean => 'no-restricted-imports' in rules;
  if (process.env['UPDATE'] === '1') {
    const others = config.overrides.filter((entry) => !isLayerRule(entry));
    const updated = JSON.stringify({ ...config, overrides: [...layerOverrides(), ...others] });
    writeFileSync(configFile, await format(updated, { parser: 'json', printWidth: 120 }));
  }
  const kept = JSON.parse(readFileSync(configFile, 'utf8')) as LintConfig;
  expect(kept.overrides.filter(isLayerRule)).toEqual(layerOverrides());
});

describe('a planted violation is found by the linter', () => {
  const violations: readonly (readonly [rule: string, path: string, text: string])[] = [
    ['eslint(no-restricted-imports)', 'src/plan/up.ts', "import '../config/b.ts';"],
    ['eslint(no-restricted-imports)', 'src/plan/part.ts', "import 'node:util';"],
    ['eslint(no-restricted-imports)', 'src/render/package.ts', "import 'yaml';"],
    ['eslint(no-restricted-globals)', 'src/apply/timer.ts', 'setTimeout(() => undefined, 5);'],
    ['import(no-cycle)', 'src/plan/cycle.ts', "export * from './cycle-back.ts';"],
    ['import(no-cycle)', 'src/plan/cycle-back.ts', "export * from './cycle.ts';"],
    ['typescript(no-floating-promises)', 'src/apply/float.ts', 'const f = async () => 1;\nf();'],
    ['typescript(no-unsafe-member-access)', 'src/apply/unsafe.ts', "export const a: unknown = JSON.parse('{}').b;"],
    [
      'typescript(switch-exhaustiveness-check)',
      'src/apply/switch.ts',
      "export function a(b: 'x' | 'y'): void {\n  switch (b) {\n    case 'x':\n      return;\n  }\n}",
    ],
  ];

  let seen: ReadonlySet<string> = new Set();
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trueup-lint-'));
    cpSync(configFile, join(folder, '.oxlintrc.json'));
    cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [, path, text] of violations) plant(folder, path, text);
    seen = await lint(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(violations)('%s in %s', (rule, path) => {
    expect([...seen]).toContain(`${path} ${rule}`);
  });
});

function plant(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}

/** Runs the linter in `folder`; gives `path rule` for each finding. */
async function lint(folder: string): Promise<Set<string>> {
  const bin = join(root, 'node_modules', '.bin', 'oxlint');
  const run = promisify(execFile)(bin, ['--format', 'json', 'src'], { cwd: folder, maxBuffer: 1 << 26 });
  const { stdout } = await run.catch((error: unknown) => error as { readonly stdout: string });
  const report = JSON.parse(stdout) as { readonly diagnostics: readonly { filename: string; code: string }[] };
  return new Set(report.diagnostics.map(({ filename, code }) => `${filename} ${code}`));
}
