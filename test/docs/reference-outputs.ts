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
    'Each change in `resource_changes` also has a key `trueup`:',
    members(plan, 'PlanChangeDetails'),
    'The member `impact` lists effects of the change:',
    listed(
      'impact',
      Object.entries(impacts).map(([name, { words }]) => [name, words]),
    ),
    RESULT,
    members(result),
    EVENTS,
    listed('type', eventsOf(event)),
    DRIFT,
    members(drift),
    REST,
  ].join('\n\n');
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8')) as Schema;
}

/** The members of a schema, or of one of its definitions. */
function members(schema: Schema, name?: string): string {
  const { properties = {} } = name === undefined ? schema : (schema.$defs?.[name] ?? {});
  const rows = Object.entries(properties).map(([member, { description, $ref }]): [string, string] => [
    member,
    firstSentence(description ?? schema.$defs?.[$ref?.split('/').at(-1) ?? '']?.description ?? ''),
  ]);
  return listed('member', rows);
}

/** A table; names that say everything stand below it. */
function listed(head: string, rows: readonly (readonly [name: string, meaning: string])[]): string {
  const plain = rows.filter(([name]) => PLAIN.has(name)).map(([name]) => `\`${name}\``);
  const explained = rows.filter(([name]) => !PLAIN.has(name));
  const names = `${plain.join(', ')}.`;
  return explained.length === 0 ? names : `${table(head, explained)}\n\nFurther ${head}s: ${names}`;
}

const PLAIN: ReadonlySet<string> = new Set(
  [
    'format_version version tool_version plan_hash base_url store timestamp requests seconds status options target exclude',
    'desired_digest files windows warnings diagnostics signature unmanaged unread expires_at',
    'action project_id resource_id notes reasons attributes impact blocked_by consents held',
    'missing steps resources counts summary limits_exceeded without_primary matching',
    'compare made_from due changed not_compared unplanned apply_complete resource_drift verify run_finished',
    'access_changes drops_connections none no_primary host_changes cold_start default_changes secret_created data_lost',
    'planned_change change_summary apply_start apply_progress apply_errored retry secret_stored diagnostic drift_summary',
  ].flatMap((names) => names.split(' ')),
);

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

A command writes its result to stdout in one format (\`--format\`), and everything else to stderr. \`--write FORMAT=FILE\` also writes the result to a file.

| command | formats |
| --- | --- |
| \`plan\`, \`apply\` | \`human\`, \`json\`, \`ndjson\`, \`markdown\`, \`html\` |
| \`drift\` | \`human\`, \`json\`, \`ndjson\`, \`markdown\`, \`html\`, \`junit\`, \`sarif\`, \`prometheus\` |
| \`show FILE\` | as the command that wrote FILE |
| \`list\` | \`human\`, \`json\`, \`env\` |
| \`keys\`, \`operations\`, \`validate\`, \`ping\`, \`pin\`, \`explain\` | \`human\`, \`json\` |

\`trueup schema plan|result|event|drift\` prints the JSON Schema of an output. For the JSON of the other commands, see [lists.schema.json](../../schemas/lists.schema.json).

trueup [escapes names](../explanation/security.md#text-from-outside) in every output. No output contains a secret.

If a command fails before it has a result, it writes the reason in the chosen format. In JSON, \`apply\` then writes a result, and the other commands write the same report as \`validate\`. A failed \`plan\` or \`drift\` also replaces the files of \`--write\`. In \`sarif\`, a file of a failed command has no \`results\`, so that GitHub keeps its alerts open.`;

const PLAN = `## Plan

The JSON of a plan is a valid Terraform plan. Its key \`trueup\` has these members:`;

const RESULT = `### Hash and saved plan

\`plan_hash\` is the SHA-256 of [the content of the plan](../explanation/consent-and-guards.md#what-the-hash-covers).

\`made_from\` contains the inputs of a saved plan, which \`apply\` [checks](../explanation/security.md#review) (\`plan_altered\`, \`plan_unsigned\`).

### Markdown and HTML

The Markdown of a plan has at most 65,536 characters (\`--max-chars\`), so that it fits into one comment. A shortened plan keeps the result, the counts, and as many dangerous steps as possible. Scripts find the comment by the marker in the first line. The HTML of a plan contains no scripts and loads no other files.

### Comparison with another checkout

With \`--compare-with DIR\`, a plan has the sections _From this change_, _Already pending_ and _No longer managed_. The section _Guards changed_ begins with guards that now block less.

## Result

\`apply\` writes its result during the run, so a killed run leaves the outcome so far.`;

const EVENTS = `## Events

The format \`ndjson\` is Terraform's machine-readable output, with further types of events. Each line has \`@level\`, \`@message\`, \`@timestamp\` and \`type\`. \`plan\` prints the lines up to \`change_summary\`.`;

const DRIFT = `## Drift

Each entry in the lists of a drift report has the members of a change in a plan. The members of the report are:`;

const REST = `- A \`junit\` report has a test case for each managed resource and each other finding.
- A \`sarif\` report (version 2.1.0) shows each finding at its line of YAML. A finding has the same fingerprint in every run.
- A \`prometheus\` report is a file for the textfile collector.

## List

\`list --format env\` prints hosts and connections as shell variables, without passwords.`;
