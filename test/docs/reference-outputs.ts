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
  const shown = new Set<string>();
  return [
    HEAD,
    PLAN,
    members(shown, plan, 'PlanDetails'),
    'Each change in `resource_changes` also has a key `trueup`, with these members:',
    members(shown, plan, 'PlanChangeDetails'),
    'The member `impact` lists effects of the change:',
    table(
      'impact',
      Object.entries(impacts).map(([name, { words }]) => [name, words]),
    ),
    RESULT,
    members(shown, result),
    EVENTS,
    table('type', eventsOf(event)),
    DRIFT,
    members(shown, drift),
    REST,
  ].join('\n\n');
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8')) as Schema;
}

/** A table of the members of a schema, or of one of its definitions; those that an earlier table has are only named. */
function members(shown: Set<string>, schema: Schema, name?: string): string {
  const { properties = {} } = name === undefined ? schema : (schema.$defs?.[name] ?? {});
  const rows = Object.entries(properties).map(([member, { description, $ref }]): [string, string] => [
    member,
    firstSentence(description ?? schema.$defs?.[$ref?.split('/').at(-1) ?? '']?.description ?? ''),
  ]);
  const known = rows.filter((row) => shown.has(row.join()));
  const added = rows.filter((row) => !shown.has(row.join()));
  for (const row of added) shown.add(row.join());
  const named = known.map(([member]) => `\`${member}\``).join(', ');
  return `${table('member', added)}${named === '' ? '' : `\n\nThese members have the same meaning as above: ${named}.`}`;
}

/** The schema has the others. */
function firstSentence(text: string): string {
  return text.replace(/(?<=\.) [`A-Z].*/, '');
}

function eventsOf({ $defs = {} }: Schema): [type: string, meaning: string][] {
  return Object.values($defs).flatMap(({ properties, description = '' }) => {
    const type = properties?.['type']?.const;
    return type === undefined ? [] : [[type, firstSentence(description)] as [string, string]];
  });
}

function table(head: string, rows: readonly (readonly [name: string, meaning: string])[]): string {
  const lines = rows.map(([name, meaning]) => `| \`${name}\` | ${meaning.replaceAll('|', '\\|')} |`);
  return [`| ${head} | meaning |`, '| --- | --- |', ...lines].join('\n');
}

const HEAD = `<!-- written by a test: UPDATE=1 npx vitest run test/docs/reference-outputs.test.ts -->

# Outputs

A command writes its result to stdout in one format (\`--format\`). Each \`--write FORMAT=FILE\` writes the result to a file too. A file is written whole or not at all. Progress, prompts, warnings and errors go to stderr.

| command | formats |
| --- | --- |
| \`plan\`, \`apply\` | \`human\`, \`json\`, \`ndjson\`, \`markdown\`, \`html\` |
| \`drift\` | the formats of \`plan\`, and \`junit\`, \`sarif\`, \`prometheus\` |
| \`show FILE\` | the formats of the saved plan, result or drift report in FILE |
| \`list\` | \`human\`, \`json\`, \`env\` |
| \`keys\`, \`operations\`, \`validate\`, \`ping\`, \`pin\`, \`explain\` | \`human\`, \`json\` |

\`trueup schema plan|result|event|drift\` prints the JSON Schema of each output, with the full description of each member. [lists.schema.json](../../schemas/lists.schema.json) describes the JSON of the other commands.

- Output files have no colors and at most 80 columns, except for tables. Without a terminal, a table has one line per row.
- Names from the API and from your files are escaped in every format, so that they cannot act on a terminal or a web page.
- No output contains a secret.

If a command fails before it has a result, the output in the chosen format says why. In JSON, such an output is the report of \`validate\`; \`apply\` writes a result of its own. A failed \`plan\` or \`drift\` also replaces the files of \`--write\`, so that no old report remains. In \`sarif\`, such a file has no \`results\`, because a code host would otherwise close its alerts.`;

const PLAN = `## Plan

The JSON is a valid Terraform plan, which policy tools and report tools for Terraform can read. The top-level key \`trueup\` has these members:`;

const RESULT = `### Hash and saved plan

\`plan_hash\` is the SHA-256 of the plan's content. [Consent and guards](../explanation/consent-and-guards.md#what-the-hash-covers) lists that content.

\`apply\` computes a saved plan again from \`made_from\`, and refuses a file with any difference (\`plan_altered\`). If \`TRUEUP_PLAN_KEY\` is set, \`plan\` signs plans, and \`apply\` refuses unsigned plans (\`plan_unsigned\`).

### Markdown and HTML

The Markdown of a plan fits a comment of 65,536 characters (\`--max-chars\`). A long plan is shortened, but always keeps the verdict, the counts, and the dangerous steps that fit. The first line is a marker by which a script can find the comment. The HTML is one page that loads no other file and runs no script.

### Comparison with another checkout

\`--compare-with DIR\` divides the changes into _From this change_, _Already pending_ and _No longer managed_. The section _Guards changed_ lists each guard that differs, loosened guards first. In JSON these sections are \`compare.from_this_change\`, \`already_pending\`, \`no_longer_managed\` and \`guards_changed\`.

## Result

\`apply\` writes its result during the run, so a killed run also leaves a result.`;

const EVENTS = `## Events

\`ndjson\` is Terraform's machine-readable output with additions. Each line has \`@level\`, \`@message\`, \`@timestamp\` and \`type\`. \`plan\` prints the lines up to \`change_summary\`.`;

const DRIFT = `## Drift

Each entry in the lists of a drift report has the form of a change in a plan.`;

const REST = `- \`junit\` has a test case for each finding and for each resource without a difference.
- \`sarif\` (2.1.0) reports each finding at its line of YAML, with a fingerprint that is the same in every run.
- \`prometheus\` is for the textfile collector. The metrics are the status, the number of findings by class and project, and the times of the last run and of the last complete run.

## List

\`list --format env\` prints hosts and connections as shell variables, without passwords. The output marks each replica that has neither an id nor a name in the file (\`pinned: false\` in JSON).`;
