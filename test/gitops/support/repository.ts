// A repository as a forge keeps it: bare, with branches, pull requests and forks; real git, nobody's configuration.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** A pull request as its workflow's event tells it. */
export interface PullRequest {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly head: { readonly sha: string; readonly repo: { readonly full_name: string } };
  readonly base: { readonly sha: string; readonly ref: string };
}

export interface Repository {
  /** Commits files on top of `from` as the branch `branch`; gives the commit. */
  commit(branch: string, files: Readonly<Record<string, string>>, from?: string): string;
  /** Opens or updates a pull request of a branch; a fork's comes from another repository. */
  propose(number: number, branch: string, fullName: string): PullRequest;
  /** Merges a pull request into main; gives the merge commit. */
  merge(pull: PullRequest): string;
  /** Checks a commit or reference out into a folder. */
  checkout(reference: string, into: string): void;
  head(reference: string): string;
}

/** An empty repository below `folder`. */
export function openRepository(folder: string): Repository {
  const bare = join(folder, 'repository.git');
  const git = (cwd: string, ...words: readonly string[]): string =>
    execFileSync('git', words, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...IDENTITY },
    }).trim();
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  const clone = (): string => {
    const work = mkdtempSync(join(folder, 'work-'));
    git(folder, 'clone', '--quiet', bare, work);
    return work;
  };
  const head = (reference: string): string => git(bare, 'rev-parse', reference);
  return {
    head,
    commit(branch, files, from) {
      const work = clone();
      if (from !== undefined) git(work, 'checkout', '--quiet', '-B', branch, `origin/${from}`);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work, name)), { recursive: true });
        writeFileSync(join(work, name), text);
      }
      git(work, 'add', '--all');
      git(work, 'commit', '--quiet', '-m', `change ${branch}`);
      git(work, 'push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
      return git(work, 'rev-parse', 'HEAD');
    },
    propose(number, branch, fullName) {
      const work = clone();
      git(work, 'merge', '--quiet', '--no-ff', '-m', 'as merged', `origin/${branch}`);
      git(work, 'push', '--quiet', '--force', 'origin', `HEAD:refs/pull/${number}/merge`);
      return {
        number,
        user: { login: 'ada' },
        head: { sha: head(branch), repo: { full_name: fullName } },
        base: { sha: head('main'), ref: 'main' },
      };
    },
    merge({ number, head: { sha } }) {
      const work = clone();
      git(work, 'merge', '--quiet', '--no-ff', '-m', `merge #${number}`, sha);
      git(work, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
      return git(work, 'rev-parse', 'HEAD');
    },
    checkout(reference, into) {
      mkdirSync(into, { recursive: true });
      git(into, 'init', '--quiet');
      git(into, 'fetch', '--quiet', bare, reference);
      git(into, 'checkout', '--quiet', 'FETCH_HEAD');
    },
  };
}
