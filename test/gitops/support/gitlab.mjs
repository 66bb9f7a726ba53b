// A GitLab pipeline, read by a program that has GitLab's own published schema and follows stages, needs and rules.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

/** What is wrong with the pipeline's text, one a line; empty when nothing is. */
export function problemsOfPipeline(text) {
  const program = fileURLToPath(import.meta.resolve('gitlab-ci-local'));
  const folder = mkdtempSync(join(tmpdir(), 'trueup-gitlab-'));
  try {
    const git = (...words) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
    git('init', '--quiet', '--initial-branch=main');
    git('remote', 'add', 'origin', 'git@gitlab.example.com:acme/databases.git');
    git('config', 'user.email', 'ada@example.com');
    git('config', 'user.name', 'Ada');
    writeFileSync(join(folder, '.gitlab-ci.yml'), text);
    const { status, stdout, stderr } = spawnSync(execPath, [program, '--list', '--no-color'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const said = `${stdout}${stderr}`.split('\n').filter((line) => /^\s*•|needs|error/i.test(line));
    return status === 0 ? [] : said.length > 0 ? said : [`it ended with ${status}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
