// The page of outputs: formats by command, and the members of each JSON as its schema describes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { impacts } from '../../src/model/generated/impacts.ts';
import { root } from '../architecture/source-tree.ts';

interface Schema {
  readonly description?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export function referenceOutputs(): string {
  const [plan, result, drift, event] = ['plan', 'result', 'drift', 'event'].map(schemaOf) as [
    Schema,
    Schema,
    Schema,
    Schema,
  ];
  return [
    HEAD,
    PLAN,
    members(plan, 'PlanDetails'),
    'Each change in `resource_changes` has the same key with these members:',
    members(plan, 'PlanChangeDetails'),
    'Values of `impact`:',
    table(
      'impact',
      Object.entries(impacts).map(([name, { words }]) => [name, words]),
    ),
    RESULT,
    members(result),
    EVENTS,
    table('type', eventsOf(event)),
    DRIFT,
    members(drift),
    REST,
  ].join('\n\n');
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8')) as Schema;
}

/** A table of the members of a schema, or of one of its definitions. */
function members(schema: Schema, name?: string): string {
  const { properties = {} } = name === undefined ? schema : (schema.$defs?.[name] ?? {});
  return table(
    'member',
    Object.entries(properties).map(([member, { description, $ref }]) => [
      member,
      description ?? schema.$defs?.[$ref?.split('/').at(-1) ?? '']?.description ?? '',
    ]),
  );
}

function eventsOf({ $defs = {} }: Schema): [type: string, meaning: string][] {
  return Object.values($defs).flatMap(({ properties, description = '' }) => {
    const type = properties?.['type']?.const;
    return type === undefined ? [] : [[type, description] as [string, string]];
  });
}

function table(head: string, rows: readonly (readonly [name: string, meaning: string])[]): string {
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning.replaceAll('|', '\\|')} |`);
  return [`| ${head} | meaning |`, '| --- | --- |', ...lines].join('\n');
}

const HEAD = `<!-- written by a test: UPDATE=1 npx vitest run test/docs/reference-outputs.test.ts -->

# Outputs

A command writes its result to stdout in one format (\`--format\`), and to files in further ones (\`--write FORMAT=FILE\`, repeatable). Each file is written whole or not at all. Progress, prompts, warnings and errors go to stderr.

| command | formats |
| --- | --- |
| \`plan\`, \`apply\` | \`human\`, \`json\`, \`ndjson\`, \`markdown\`, \`html\` |
| \`drift\` | the same, and \`junit\`, \`sarif\`, \`prometheus\` |
| \`show FILE\` | those of the saved plan, result or drift report in FILE |
| \`list\` | \`human\`, \`json\`, \`env\` |
| \`keys\`, \`operations\`, \`validate\`, \`ping\`, \`pin\`, \`explain\` | \`human\`, \`json\` |

\`trueup schema plan|result|event|drift\` prints the JSON Schema of each. [lists.schema.json](../../schemas/lists.schema.json) describes the other commands.

- Files are never colored and at most 80 columns wide, apart from tables. Without a terminal, a table has one line per row.
- Text from the API and from your files is harmless in every format: terminal escapes, Markdown, HTML and workflow commands are escaped.
- No output contains a secret.

A command that fails before it has a result reports that in its format, too. With \`json\` the report is that of \`validate\`; \`apply\` writes its own result. A failed \`plan\` or \`drift\` replaces the files of \`--write\`, so that yesterday's report does not stand for today. In \`sarif\` such a file has no \`results\`, because a code host would close its alerts.`;

const PLAN = `## Plan

The JSON is a valid Terraform plan, so that policy, comment and report tools can read it. The members of trueup stand under the key \`trueup\`, at the top:`;

const RESULT = `### Hash and saved plan

\`plan_hash\` is the SHA-256 of the plan's content. [Consent and guards](../explanation/consent-and-guards.md#what-the-hash-covers) lists what it covers.

\`apply\` derives a saved plan again from \`made_from\`. It refuses a file that shows or holds anything else (\`plan_altered\`). Set \`TRUEUP_PLAN_KEY\` to sign plans; \`apply\` then refuses unsigned ones (\`plan_unsigned\`).

### Markdown and HTML

Markdown fits a comment of 65,536 characters (\`--max-chars\`). It shrinks in steps: verdict, counts and as many dangerous steps as fit always remain. Its first line is a marker by which you can find and replace the comment. HTML is one page that loads nothing and runs no script.

### Comparison with another checkout

\`--compare-with DIR\` separates the changes _From this change_, _Already pending_ and _No longer managed_. _Guards changed_ lists each guard and standing order that differs, loosened ones first. In JSON these are \`compare.from_this_change\`, \`already_pending\`, \`no_longer_managed\` and \`guards_changed\`.

## Result

\`apply\` writes its result as the run goes, so a killed run leaves a true record.`;

const EVENTS = `## Events

\`ndjson\` is Terraform's machine-readable UI with additions. Each line has \`@level\`, \`@message\`, \`@timestamp\` and \`type\`. \`plan\` prints the lines up to \`change_summary\`.`;

const DRIFT = `## Drift

Each entry is shaped like a change of the plan.`;

const REST = `- \`junit\` has a test case for each finding and for each resource that matches.
- \`sarif\` (2.1.0) reports each finding at its line of YAML, with a fingerprint that is the same in every run.
- \`prometheus\` is for the textfile collector: status, findings by class and project, time of the last run and of the last complete one.

## List

\`list --format env\` prints hosts and connections as shell variables, without passwords. It marks a replica that is neither pinned nor named (\`pinned: false\` in JSON).`;
