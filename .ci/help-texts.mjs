// The help of the program and of each command, as it reads in 80 columns: `--help` is answered from there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const COLUMNS = 80;

/** What the compiled modules in `folder` say, by command; '' is the program. */
export async function helpTexts(folder) {
  const { buildProgram } = await import(pathToFileURL(join(folder, 'cli', 'program.js')).href);
  let text = '';
  const writeOut = (piece) => {
    text += piece;
  };
  const io = { stdout: { columns: COLUMNS } };
  const program = buildProgram({ io, version: '', called: null, writeOut, writeErr: writeOut });
  const texts = {};
  for (const command of [program, ...program.commands]) {
    text = '';
    command.outputHelp();
    texts[command === program ? '' : command.name()] = text;
  }
  return texts;
}

export function writeHelp(root, texts) {
  writeFileSync(join(root, 'dist', 'cli', 'code', 'help.json'), JSON.stringify(texts));
}
