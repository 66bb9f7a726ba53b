// Builds the program for the argument parser: its commands and their help.
import { inert } from '../../base/text/inert.ts';
import { Command, Option } from './commander.ts';
import { checkOutputs } from '../output/check-outputs.ts';
import { codeOf, type ExitCode } from '../process/exit-code.ts';
import { commandGroups, examples } from './commands.ts';
import type { CommandSpec } from './file-commands.ts';
import { acceptCommonFlags, flagsOf } from './flags.ts';
import { programVersion } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { settle } from './settings.ts';

export interface ProgramInput {
  readonly io: Io;
  readonly onExit: (code: ExitCode) => void;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/** Builds the program. To start fast, loads a command's code only when it runs. */
export function buildProgram(input: ProgramInput): Command {
  const program = new Command('trueup')
    .exitOverride()
    .configureOutput({
      writeOut: input.writeOut,
      writeErr: input.writeErr,
      outputError: (text, write) => write(inertLines(withoutValue(text))),
    })
    .configureHelp({
      optionTerm: (option) => option.flags.replace(' [', '[='),
      // Descriptions already contain defaults and choices.
      optionDescription: ({ description }) => description,
      subcommandTerm: (one) => one.name(),
      get helpWidth() {
        return Math.min(100, Math.max(60, input.io.stdout.columns));
      },
    })
    .allowExcessArguments(false)
    .description(
      'Keep the branches, roles, databases, computes and API keys of a managed-Postgres account equal to YAML files.',
    )
    .version(programVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    .enablePositionalOptions()
    .addHelpText('after', programTrailer());
  acceptCommonFlags(program);
  for (const [job, commands] of commandGroups) {
    program.commandsGroup(`${job}:`);
    for (const spec of commands) addCommand(program, spec, input);
  }
  program.helpCommand('help [command]', 'Show the help of a command');
  return program;
}

function addCommand(program: Command, spec: CommandSpec, input: ProgramInput): void {
  const { usage, description, flags, load } = spec;
  const [summary = ''] = description.split(/\.(?: |$)/);
  const command = program.command(usage).description(description).summary(summary);
  command.addHelpOption(new Option('-h, --help').hideHelp()).addHelpText('after', trailer(spec));
  for (const add of flags) add(command);
  acceptCommonFlags(command);
  command.action(async () => {
    const flags = flagsOf(program, command);
    const invocation = { io: input.io, settings: settle(flags, input.io), flags, words: command.args, program };
    const { run } = await load();
    checkOutputs(invocation);
    input.onExit(await codeOf(async () => run(invocation)));
  });
}

function trailer({ examples, exits = [] }: CommandSpec): string {
  const width = Math.max(...exits.map(([code]) => code.length));
  const codes = exits.map(([code, meaning]) => `  ${code.padEnd(width)}  ${meaning}`);
  const ends = codes.length > 0 ? ['', 'Exit codes:', ...codes] : [];
  return ['', 'Examples:', ...examples.map((line) => `  ${line}`), ...ends].join('\n');
}

function programTrailer(): string {
  return [
    '',
    'Examples:',
    ...examples.map(([line, does]) => `  ${line.padEnd(22)}${does}`.trimEnd()),
    '',
    'The API key comes from TRUEUP_API_KEY, TRUEUP_API_KEY_FILE or --api-key-file.',
    'Try it without an account: add --local.',
  ].join('\n');
}

function inertLines(text: string): string {
  return text
    .split('\n')
    .map((line) => inert(line, 2000))
    .join('\n');
}

/** The message about an unknown option, without its value, which could be a credential. */
function withoutValue(text: string): string {
  const named = /^error: unknown option '(--[^=']*|-[^'])([^]*)'/.exec(text);
  return named === null || named[2] === '' ? text : `error: unknown option '${named[1]}'\n`;
}
