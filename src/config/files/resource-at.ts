// Finds the resource at a path of a file.
import type { Address } from '../../model/address.ts';
import { addressBelow, PROJECT } from '../../model/kind.ts';
import type { KindSection } from '../kind-section.ts';
import { isDeclaring } from '../resolve/resolve-state.ts';
import type { Path } from '../yaml/source-tree.ts';

interface ResourceAt {
  readonly kind: KindSection;
  readonly address: Address;
  readonly rest: Path;
}

export function resourceAt(path: Path, kinds: readonly KindSection[]): ResourceAt | undefined {
  const isInProject = path[0] === 'projects' && path[1] !== undefined;
  let address = isInProject ? String(path[1]) : null;
  let found: ResourceAt | undefined;
  let parent = isInProject ? PROJECT : null;
  for (let at = isInProject ? 2 : 0; ; at += 2) {
    const [section, name] = [path[at], path[at + 1]];
    const kind = kinds.find((one) => one.parent === parent && one.section === section && one.kind !== PROJECT);
    if (at === 2 && isInProject && kind === undefined) return projectAt(path, kinds);
    if (kind === undefined || name === undefined) return found;
    address = addressBelow(address, kind, String(name));
    found = { kind, address, rest: path.slice(at + 2) };
    parent = kind.kind;
  }
}

function projectAt(path: Path, kinds: readonly KindSection[]): ResourceAt | undefined {
  const kind = kinds.find((one) => one.kind === PROJECT);
  if (kind === undefined || !isDeclaring(kind, String(path[2]))) return undefined;
  return { kind, address: String(path[1]), rest: path.slice(2) };
}
