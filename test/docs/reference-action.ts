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
- uses: trueup-dev/trueup/.github/actions/trueup@FULL-COMMIT-SHA
  with: { command: plan, api-key: '\${{ secrets.TRUEUP_API_KEY }}' }
\`\`\`

[The example pipelines](../../examples/pipelines/github) are complete workflows.

| command | effect | the job needs |
| --- | --- | --- |
| \`validate\` | checks the files without a request to the API | \`contents: read\` |
| \`plan\` | makes and saves a plan, and writes a report to the summary of the step | the API key |
| \`comment\` | writes the plan into a comment on the pull request; a later run replaces this comment | \`pull-requests: write\` |
| \`rerun\` | runs the workflow of a commented pull request again | \`actions: write\` |
| \`apply\` | applies a saved plan, a plan with a reviewed hash, or due changes | the API key |
| \`previews\` | applies a preview set for the open pull requests, and comments | the API key, \`pull-requests: write\` |
| \`drift\` | compares the account with the files, and keeps one issue open while there is drift | the API key, \`issues: write\` |
| \`show\` | merges the results of several jobs into one report, in the summary of the step | |`;

const RULES = `## Results

If \`plan\` or \`drift\` finds differences (exit code 2), the step succeeds. The step fails with any other exit code except 0. If the job may not write comments, the plan is only in the summary of the step.

## Guarantees

- The action runs no program from your repository.
- For a pull request from a fork, the action runs only \`validate\`, and refuses an API key.
- \`apply\` refuses to run for a pull request, or in a workflow that a pull request started.
- \`previews\` refuses the files of the pull request, and a target outside of a preview set.
- The action stores plans below \`RUNNER_TEMP\`. \`comment\` and \`apply\` refuse a plan from the checkout, and a plan with another digest.
- The action takes the reviewed hash only from its own comment on the merged commit. The action refuses an edited comment.
- \`.github/trueup-files\` can only name files inside the checkout, and may have at most 64 KiB.`;
