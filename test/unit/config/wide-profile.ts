// Files that are wide by their profiles alone.

const settings = (name: string, entries: number): string =>
  ['pg_settings', 'pgbouncer_settings']
    .map(
      (group) =>
        `      ${group}:\n${Array.from({ length: entries / 2 }, (_, at) => `        ${name}${at}: a\n`).join('')}`,
    )
    .join('');
/** A file of profiles with so many settings together, at most 2,000 in each. */
export const profile = (name: string, entries: number): string =>
  `version: 1\nprofiles:\n${Array.from({ length: Math.ceil(entries / 2000) }, (_, at) => `  ${name}${at === 0 ? '' : at}:\n    settings:\n${settings(name, Math.min(entries, 2000))}`).join('')}`;
