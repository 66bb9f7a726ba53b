// What every command inherits from the program: where its words go, how its help looks, what it says of a mistake.
import { inert } from '../../base/text/inert.ts';
import type { Command } from './commander.ts';
import type { Output } from '../process/io.ts';

export interface Frame {
  readonly io: { readonly stdout: Pick<Output, 'columns'> };
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

export function configured(command: Command, input: Frame): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: input.writeOut,
      writeErr: input.writeErr,
      outputError: (text, write) => write(inertLines(withoutValue(text))),
    })
    .configureHelp({
      optionTerm: (option) => option.flags.replace(' [', '[='),
      // The texts name defaults and choices themselves.
      optionDescription: ({ description }) => description,
      subcommandTerm: (one) => one.name(),
      get helpWidth() {
        return Math.min(100, Math.max(60, input.io.stdout.columns));
      },
    })
    .allowExcessArguments(false);
}

/** Words of the command line are quoted as they came. */
function inertLines(text: string): string {
  return text
    .split('\n')
    .map((line) => inert(line, 2000))
    .join('\n');
}

/** An unknown option is named without what may have been meant as its value: that could be a credential. */
function withoutValue(text: string): string {
  const named = /^error: unknown option '(--[^=']*|-[^'])([^]*)'/.exec(text);
  return named === null || named[2] === '' ? text : `error: unknown option '${named[1]}'\n`;
}
