// Generated code is what the schemas say today: made anew in an empty folder, it has the same bytes.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesBelow, root } from './source-tree.ts';

let fresh = '';
beforeAll(async () => {
  fresh = mkdtempSync(join(tmpdir(), 'trueup-generated-'));
  cpSync(join(root, 'schemas'), join(fresh, 'schemas'), { recursive: true });
  cpSync(join(root, 'package.json'), join(fresh, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(fresh, 'node_modules'));
  await promisify(execFile)(process.execPath, [join(fresh, 'schemas', 'generate.mjs')], { cwd: fresh });
});
afterAll(() => rmSync(fresh, { recursive: true, force: true }));

describe('generated code', () => {
  it('is the same when it is made anew', () => {
    const made = generatedFiles(fresh);
    expect(made.length).toBeGreaterThan(0);
    expect(made).toEqual(generatedFiles(root));
    for (const path of made) expect(textOf(root, 'src', path), path).toBe(textOf(fresh, 'src', path));
  });

  it('and so are the schemas, of which one is composed from the others', () => {
    for (const path of filesBelow('schemas', '.json'))
      expect(textOf(root, 'schemas', path), path).toBe(textOf(fresh, 'schemas', path));
  });
});

function textOf(project: string, folder: string, path: string): string {
  return readFileSync(join(project, folder, path), 'utf8');
}

function generatedFiles(project: string): string[] {
  return readdirSync(join(project, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('generated'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(project, 'src').length + 1))
    .sort();
}
