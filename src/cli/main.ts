// One run of the program: takes argv and an Io, returns an exit code.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError, type Command } from './program/commander.ts';
import { inert } from '../base/text/inert.ts';
import { exitCodes, type ExitCode, UsageError } from './process/exit-code.ts';
import { normaliseArguments } from './program/flags.ts';
import { refuseForeignWords } from './program/foreign-words.ts';
import type { Io } from './process/io.ts';
import { buildProgram } from './program/program.ts';

/** Runs `argv` (without node and script). Reports the errors of a command, and resolves with the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const texts: Promise<void>[] = [];
  const complaints: string[] = [];
  const program = buildProgram({
    io,
    onExit: (result) => {
      code = result;
    },
    writeOut: (text) => texts.push(io.stdout.write(text)),
    writeErr: (text) => {
      complaints.push(text);
      texts.push(io.stderr.write(text));
    },
  });
  if (argv.length === 0) {
    await io.stderr.write(hasConfiguration(io) ? program.helpInformation() : FIRST_STEPS);
    return exitCodes.error;
  }
  io.said.length = 0;
  try {
    refuseForeignWords(argv, program);
    await program.parseAsync(
      normaliseArguments(argv, (path) => existsSync(resolve(io.cwd, path))),
      { from: 'user' },
    );
  } catch (error) {
    const called = program.commands.find((command) => command.name() === argv[0]);
    if (error instanceof CommanderError && error.code === 'commander.excessArguments')
      await io.stderr.write(whereWordsGo(called));
    if (error instanceof CommanderError && error.exitCode !== 0)
      io.said.push((await failures()).usageProblem(complaints.join('')));
    code = await report(error, io);
  }
  await Promise.all(texts);
  if (code !== exitCodes.done && !io.stdout.used()) {
    const names = program.commands.map((command) => command.name());
    const isApply = argv.find((word) => names.includes(word)) === 'apply';
    const { failureText, formatOf } = await failures();
    const format = formatOf(argv);
    const ending = { code, diagnostics: io.said, atMs: io.clock.nowMs() };
    if (format !== null) await io.stdout.write(failureText(format, ending, isApply));
  }
  return code;
}

const FIRST_STEPS = `There is no trueup.yaml here yet. To begin:
  trueup init                  write a starter file; try it with trueup plan --local
  trueup import > trueup.yaml  write the resources of an account (key in TRUEUP_API_KEY)
  trueup --help                show all commands
`;

function hasConfiguration({ cwd, env }: Io): boolean {
  return (env['TRUEUP_FILE'] ?? '') !== '' || existsSync(resolve(cwd, 'trueup.yaml'));
}

function whereWordsGo(called: Command | undefined): string {
  const flags = new Set(called?.options.map(({ long }) => long));
  if (flags.has('--from-terraform'))
    return '  trueup import takes every live resource that no file lists: select with --project, take names with --from-terraform.\n';
  return flags.has('--file') ? '  Write files after -f, and addresses after --target.\n' : '';
}

/** Loaded on demand, because a successful run does not need the module. */
const failures = () => import('./output/failure.ts');

async function report(error: unknown, io: Io): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.error;
  const { failureCode, problemOf } = await failures();
  const problem = problemOf(error);
  io.said.push(problem);
  const { code, message, hint } = problem;
  const word = code.endsWith('_in_work_tree') ? `error ${code}` : 'error';
  await io.stderr.write(`${word}: ${inert(message, 2000)}\n${hint === undefined ? '' : `  ${hint}\n`}`);
  const isBug = error instanceof Error && !(error instanceof UsageError);
  if (io.env['TRUEUP_DEBUG'] === '1' && isBug) await io.stderr.write(`${error.stack ?? ''}\n`);
  return failureCode(error);
}
