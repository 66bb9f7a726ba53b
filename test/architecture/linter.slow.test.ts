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
  const violations: readonly { rule: string; path: string; text: string }[] = [
    { rule: 'eslint(no-restricted-imports)', path: 'src/plan/up.ts', text: "import '../config/b.ts';" },
    {
      rule: 'eslint(no-restricted-imports)',
      path: 'src/control-plane/deep/out.ts',
      text: "import '../../client/b.ts';",
    },
    { rule: 'eslint(no-restricted-imports)', path: 'src/kinds/above.ts', text: "import '../reconciler/index.ts';" },
    { rule: 'eslint(no-restricted-imports)', path: 'src/plan/part.ts', text: "import 'node:util';" },
    { rule: 'eslint(no-restricted-imports)', path: 'src/render/package.ts', text: "import 'yaml';" },
    { rule: 'eslint(no-restricted-globals)', path: 'src/apply/timer.ts', text: 'setTimeout(() => undefined, 5);' },
    { rule: 'eslint(no-restricted-globals)', path: 'src/client/env.ts', text: 'export const a = process.env;' },
    { rule: 'eslint(no-restricted-globals)', path: 'src/cli/fetch.ts', text: "export const a = await fetch('x');" },
    { rule: 'import(no-cycle)', path: 'src/plan/cycle.ts', text: "export * from './cycle-back.ts';" },
    { rule: 'import(no-cycle)', path: 'src/plan/cycle-back.ts', text: "export * from './cycle.ts';" },
    { rule: 'typescript(no-floating-promises)', path: 'src/apply/float.ts', text: 'const f = async () => 1;\nf();' },
    {
      rule: 'typescript(no-misused-promises)',
      path: 'src/apply/misuse.ts',
      text: 'const f = async () => true;\nif (f()) throw new Error();',
    },
    {
      rule: 'typescript(no-explicit-any)',
      path: 'src/apply/any.ts',
      text: 'export const a = (b: any): unknown => b as unknown;',
    },
    {
      rule: 'typescript(no-unsafe-member-access)',
      path: 'src/apply/unsafe.ts',
      text: "export const a: unknown = JSON.parse('{}').b;",
    },
    {
      rule: 'typescript(switch-exhaustiveness-check)',
      path: 'src/apply/switch.ts',
      text: "export function a(b: 'x' | 'y'): void {\n  switch (b) {\n    case 'x':\n      return;\n  }\n}",
    },
    {
      rule: 'typescript(return-await)',
      path: 'src/apply/return.ts',
      text: 'export async function a(b: Promise<void>): Promise<void> {\n  try {\n    return b;\n  } catch {\n    return undefined;\n  }\n}',
    },
    {
      rule: 'typescript(consistent-type-imports)',
      path: 'src/apply/types.ts',
      text: "import { A } from './a.ts';\nexport type B = A;",
    },
  ];

  let seen: ReadonlySet<string> = new Set();
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trueup-lint-'));
    cpSync(configFile, join(folder, '.oxlintrc.json'));
    cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    plant(folder, 'src/apply/a.ts', 'export interface A {\n  readonly a: string;\n}');
    for (const { path, text } of violations) plant(folder, path, text);
    seen = await lint(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(violations)('$rule in $path', ({ rule, path }) => {
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
