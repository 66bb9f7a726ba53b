// Rule: no file below the kinds names a kind of resource or a property of one kind, so that a new kind needs no change there.
import { layers, packageOf, packagesWithoutKinds } from '../layer-map.ts';
import type { SourceFile } from '../source-tree.ts';

// "computed" and "computer" are other words; `endpoint_id` is the one field of the wire that waiting needs.
const KIND_WORDS: readonly RegExp[] = [/compute(?![dr])/i, /endpoint(?!_id\b)/i, /api[\s_-]?key/i];

/** What only one kind has, each with its plural. */
const OWN_WORDS: readonly (readonly [one: string, many: string])[] = [
  ['branch', 'branches'],
  ['primary', 'primaries'],
  ['host', 'hosts'],
  ['connection', 'connections'],
  ['role', 'roles'],
  ['database', 'databases'],
];

/** Words of HTTP are the client's own, and a lock is of a host. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  'client/': ['host', 'connection'],
  'apply/journal/': ['host'],
  // An operation says which of the two it is about.
  'model/live.ts': ['branch'],
  'client/operations.ts': ['branch'],
  'render/tables/operations.ts': ['branch'],
  // A member of the result, as the contract with users names it.
  'render/machine/result-json.ts': ['primary'],
  'render/machine/saved-result.ts': ['primary'],
};

const packagesBelowKinds: ReadonlySet<string> = new Set(
  layers
    .slice(
      0,
      layers.findIndex((layer) => layer.includes('kinds')),
    )
    .flat()
    .filter((folder) => packagesWithoutKinds.includes(folder)),
);

/** Lines of code or comment that name a kind. */
export function kindNameViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => packagesWithoutKinds.includes(packageOf(path)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const word = KIND_WORDS.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
        const said = word ?? ownWordIn(path, line);
        return said === undefined ? [] : [`${path}:${index + 1}: says "${said}"`];
      }),
    );
}

function ownWordIn(path: string, line: string): string | undefined {
  if (!packagesBelowKinds.has(packageOf(path))) return undefined;
  const meant = Object.entries(OTHER_MEANINGS).flatMap(([begin, words]) => (path.startsWith(begin) ? words : []));
  const said = wordsOf(line.replaceAll(/role="[a-z]+"/g, ''));
  return OWN_WORDS.find(([one, many]) => !meant.includes(one) && (said.has(one) || said.has(many)))?.[0];
}

/** Its words in small letters, those of `branchId`, `BRANCH_ID` and `branch-id` apart. */
function wordsOf(line: string): ReadonlySet<string> {
  const apart = line.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return new Set(apart.toLowerCase().split(/[^a-z]+/));
}
