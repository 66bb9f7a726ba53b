// Writes the page of the command line from the commands and flags that the program declares.
import type { Command, Option } from 'commander';
import { groupBy } from '../../src/base/group-by.ts';
import { commandGroups } from '../../src/cli/program/commands.ts';
import { silentProgram } from '../support/silent-program.ts';

const INTRO = `# Command line

\`trueup COMMAND [flags]\`. \`trueup COMMAND --help\` shows all flags of a command.

- API keys come from the environment or a file, never from a flag's value: see [exit codes and environment](exit-codes-and-environment.md).
- The flags \`--local\`, \`--auto-approve\` and \`--pin\` accept a value only after \`=\`. You may repeat a flag with \`...\`.
- In patterns of addresses, \`*\` and \`?\` match within one part of an address, and \`**\` matches any number of parts.
- Write a duration as \`500ms\`, \`30s\`, \`5m\`, \`24h\` or \`7d\`; a number without a unit means seconds.
`;

/** The end of the description of a flag that may be given several times. */
const REPEATED = /; may be repeated(?=\.|$)/;

/** A flag of at least so many commands is a common one. */
const COMMON_FROM = 4;

export function referenceCli(): string {
  const program = silentProgram();
  const common = commonFlags(program);
  const named = new Map(program.commands.map((command) => [command.name(), command]));
  const seen = new Map<string, string>();
  const pages = commandGroups.flatMap(([job, specs]) => [
    `## ${job}\n`,
    ...specs.map((spec) => {
      const command = named.get(spec.usage.split(' ')[0] ?? '');
      return command === undefined ? '' : commandPage(command, spec, common, seen);
    }),
  ]);
  return [INTRO, '## Common flags\n', flagList([...common.values()]), ...pages].join('\n');
}

function commandPage(
  command: Command,
  { usage, examples }: { readonly usage: string; readonly examples: readonly string[] },
  common: ReadonlyMap<string, Option>,
  seen: Map<string, string>,
): string {
  const visible = command.options.filter(({ hidden }) => !hidden);
  const own = visible.filter((option) => !common.has(identity(option)));
  const shared = commonWords(visible, common);
  const alike = own.filter((option) => seen.has(identity(option)));
  const fresh = own.filter((option) => !seen.has(identity(option)));
  for (const option of fresh) seen.set(identity(option), command.name());
  return [
    `### ${command.name()}\n\n${escaped(command.description())}\n`,
    `\`\`\`text\ntrueup ${usage}\n\`\`\`\n`,
    ...(shared === '' ? [] : [`Common flags: ${shared}.\n`]),
    ...likeOthers(alike, seen),
    ...(fresh.length === 0 ? [] : [flagList(fresh)]),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

/** The flags that an earlier command explains, by command. */
function likeOthers(options: readonly Option[], seen: ReadonlyMap<string, string>): readonly string[] {
  return [...groupBy(options, (option) => seen.get(identity(option)) ?? '')].map(
    ([name, own]) => `As \`${name}\`: ${own.map(({ long }) => `\`${long ?? ''}\``).join(', ')}.\n`,
  );
}

/** `Input, Output (without --write), Connection`. A flag of the same name that the command explains itself is not lacking. */
function commonWords(visible: readonly Option[], common: ReadonlyMap<string, Option>): string {
  const identities = new Set(visible.map(identity));
  const names = new Set(visible.map(({ long }) => long));
  return byGroup([...common.values()])
    .flatMap(([heading, options]) => {
      if (!options.some((option) => identities.has(identity(option)))) return [];
      const lacking = options.filter(({ long }) => !names.has(long));
      const without = lacking.map(({ long }) => `\`${long ?? ''}\``).join(', ');
      return lacking.length === 0 ? [heading] : [`${heading} (without ${without})`];
    })
    .join(', ');
}

function commonFlags(program: Command): ReadonlyMap<string, Option> {
  const options = program.commands.flatMap((command) => command.options.filter(({ hidden }) => !hidden));
  const alike = [...groupBy(options, identity)].filter(([, same]) => same.length >= COMMON_FROM);
  return new Map(alike.flatMap(([key, same]) => same.slice(-1).map((option) => [key, option] as const)));
}

function identity({ flags, description }: Option): string {
  return `${flags}: ${description}`;
}

function flagList(options: readonly Option[]): string {
  return byGroup(options)
    .map(([heading, own]) => {
      const lines = own.map(({ flags, description }) => {
        const once = description.replace(REPEATED, '');
        const more = once === description ? '' : '...';
        return `- \`${flags.replace(' [', '[=')}${more}\`: ${escaped(once)}`;
      });
      return `${heading}:\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function byGroup(options: readonly Option[]): readonly (readonly [heading: string, options: readonly Option[]])[] {
  return [...groupBy(options, ({ helpGroupHeading = 'Options:' }) => helpGroupHeading.replace(/:$/, ''))];
}

function escaped(text: string): string {
  return text.replaceAll('*', '\\*');
}
