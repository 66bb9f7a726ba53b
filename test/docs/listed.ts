// The names that a page lists: in a table, and those that need no words, after `Further …:` below the table.

/** The meaning of each name in the first list after `lead`; null for a name without words. */
export function listedAfter(page: string, lead: string): Readonly<Record<string, string | null>> {
  const text = page.slice(page.indexOf(`\n${lead}`));
  const [, table = '', further = ''] = /\n((?:\|.*\n)+)(?:\nFurther \w+: (.*)\.\n)?/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(
    ([, name = '', meaning = '']) => [name, meaning.replaceAll('\\|', '|')] as const,
  );
  const bare = [...further.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, null] as const);
  return Object.fromEntries<string | null>([...rows, ...bare]);
}
