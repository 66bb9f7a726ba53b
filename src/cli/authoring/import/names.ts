// `import --from-terraform`: takes labels for an import from the names in a Terraform state.
import { groupBy } from '../../../base/group-by.ts';
import { plural } from '../../../base/text/words.ts';
import { confusableForm } from '../../../config/check/cross-checks.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveState } from '../../../model/live.ts';
import { readNamed, readStdinFor } from '../../process/files.ts';
import type { Io } from '../../process/io.ts';
import type { Session } from '../../command.ts';
import { readState, type StateName } from './terraform-state.ts';
import { UsageError } from '../../process/exit-code.ts';

/** Names by resource id; empty without --from-terraform. */
export type Names = ReadonlyMap<string, StateName>;

export interface GivenNames {
  readonly names: Names;
  readonly warnings: readonly Diagnostic[];
}

/** Reads the states; `-` is standard input. The first state that names an id wins. Throws UsageError for an unusable state. */
export async function readNames({ io, settings }: Session, states: readonly string[]): Promise<GivenNames> {
  const names = new Map<string, StateName>();
  const warnings: Diagnostic[] = [];
  if ([...settings.files, ...states].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input can be read only once, but - is given twice');
  for (const path of states) {
    const shown = path === '-' ? 'standard input' : path;
    const state = readState(await textOf(io, path), shown);
    for (const name of state.names) if (!names.has(name.id)) names.set(name.id, name);
    if (state.odd > 0) warnings.push(warning(`${plural(state.odd, 'entry', 'entries')} of ${shown} cannot be read`));
    if (state.names.length === 0) warnings.push(warning(`${shown} has no resource of this service`));
  }
  return { names, warnings };
}

function warning(message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'names_missing',
    message,
    hint: 'Resources without a name in the Terraform state get a generated name.',
  };
}

async function textOf(io: Io, path: string): Promise<string> {
  const bytes = path === '-' ? await readStdinFor('--from-terraform', io) : readNamed(io.cwd, path).bytes;
  // Windows PowerShell writes redirected output as UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

export function wantedNames(items: readonly { readonly id: string }[], names: Names): ReadonlyMap<string, string> {
  const named = items.flatMap(({ id }) => names.get(id) ?? []);
  const alike = groupBy(named, (name) => confusableForm(shortOf(name)));
  return new Map(
    named.flatMap((name): [string, string][] => {
      const short = shortOf(name);
      const isClear = alike.get(confusableForm(short))?.length === 1;
      const wantedLabel = isClear ? short : saying([...name.outer, ...name.own]).join('-');
      return wantedLabel === '' ? [] : [[name.id, wantedLabel]];
    }),
  );
}

function shortOf({ own, outer }: StateName): string {
  const words = saying(own);
  return (words.length > 0 ? words : saying(outer)).join('-');
}

/** Removes the word `this`: Terraform modules use it for a single resource, so it would say nothing in a label. */
function saying(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== 'this');
}

/** `removed` blocks for Terraform, so that it does not destroy resources that trueup now manages; empty for none. */
export function removedBlocks(names: Names, { projects, resources }: LiveState): string {
  const live = new Set([...projects, ...resources].map(({ id }) => id));
  const found = [...names.values()].filter(({ id }) => live.has(id)).map(({ address }) => blockAddress(address));
  // Omits addresses with unusual characters: these may be masked or cut, so that Terraform does not know them.
  const plain = [...new Set(found)].filter((address) => /^[\w.-]+$/.test(address)).sort();
  if (plain.length === 0) return '';
  const blocks = plain.map((from) => `removed {\n  from = ${from}\n  lifecycle {\n    destroy = false\n  }\n}\n`);
  return `trueup manages these resources now. In Terraform, replace their resource blocks with:\n\n${blocks.join('\n')}`;
}

/** The address for a `removed` block: without instance keys; for a project's first branch, the project's address. */
function blockAddress(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '').replace(/(neon_project\.[\w-]+)\.branch$/, '$1');
}
