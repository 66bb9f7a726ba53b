// The page of the GitHub action, with the inputs and outputs that action.yml declares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../architecture/source-tree.ts';

interface Declared {
  readonly description: string;
  readonly required?: boolean;
}

interface Action {
  readonly inputs: Readonly<Record<string, Declared>>;
  readonly outputs: Readonly<Record<string, Declared>>;
}

export function referenceAction(): string {
  const text = readFileSync(join(root, '.github/actions/trueup/action.yml'), 'utf8');
  const { inputs, outputs } = parse(text) as Action;
  return [HEAD, '## Inputs', table('input', inputs), '## Outputs', table('output', outputs), RULES].join('\n\n');
}

function table(head: string, members: Action['inputs']): string {
  const rows = Object.entries(members).map(
    ([name, { description, required }]) => `| \`${name}\` | ${description}${required === true ? ' Required.' : ''} |`,
  );
  return [`| ${head} | meaning |`, '| --- | --- |', ...rows].join('\n');
}

const HEAD = `<!-- written by a test: UPDATE=1 npx vitest run test/docs/reference-action.test.ts -->

# GitHub action

The action runs one command of trueup in a job. The job needs a Linux runner with Node.js 20.20 or later, \`jq\` and \`gh\`. Pin the action to the full SHA of a commit of trueup that you trust:

\`\`\`text
- uses: YOUR-ORG/trueup/.github/actions/trueup@FULL-COMMIT-SHA
  with: { command: plan, api-key: '\${{ secrets.TRUEUP_API_KEY }}' }
\`\`\`

[The example pipelines](../../examples/pipelines/github) are complete workflows for pull requests, applies and nightly drift.

| command | effect | the job needs |
| --- | --- | --- |
| \`validate\` | checks the files offline | \`contents: read\` |
| \`plan\` | plans, saves the plan and writes the report to the step's summary | the API key |
| \`comment\` | writes the plan into one comment on the pull request; each later run replaces that comment | \`pull-requests: write\` |
| \`apply\` | applies a saved plan, the plan that has a reviewed hash, or due changes | the API key |
| \`drift\` | compares the account with the files, and keeps one issue open while there is drift | the API key, \`issues: write\` |`;

const RULES = `## Results

The commands \`plan\` and \`drift\` succeed if they find differences (exit code 2). Both commands fail if a change is blocked (5), a part of the account was not read or planned (3), or an error occurred (1). Without permission to comment, the plan is only in the summary of the step.

## Guarantees

- The action runs no program of your repository. The action is built from its own commit and lock file.
- A pull request from a fork is only validated. In every kind of workflow, the action refuses an API key for a fork.
- \`apply\` refuses to run for a pull request, and for a workflow that a pull request started.
- The action stores plans below \`RUNNER_TEMP\`. \`comment\` and \`apply\` refuse a plan from the checkout, and a file with another digest.
- The reviewed hash comes from the action's own comment on the merged commit. A comment that somebody edited does not count.
- \`.github/trueup-files\` names files inside the checkout only, in at most 64 KiB.`;
