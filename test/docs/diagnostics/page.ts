// Writes the page of diagnostics from the catalogue.
import { groupBy } from '../../../src/base/group-by.ts';
import { catalogue, type Group } from './catalogue.ts';

const INTRO = `# Diagnostics

Each message contains a code: \`error CODE\`, \`warning CODE\` or \`blocked (CODE)\`. In JSON, the codes are the values of \`code\` and \`blocked_by\`.
The message says what happened, where, and why. This page says what to do.
`;

export function referenceDiagnostics(): string {
  return [INTRO, ...catalogue.map(section)].join('\n');
}

/** Codes with one entry share a line. */
function section({ title, intro, entries }: Group): string {
  const sorted = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  const items = [...groupBy(sorted, ([, entry]) => entry.join(' ')).values()].map((alike) => {
    const [[, entry]] = alike;
    return `- ${alike.map(([code]) => `\`${code}\``).join(', ')}: ${entry.join(' ')}`;
  });
  return [`## ${title}\n`, `${intro}\n`, ...items, ''].join('\n');
}
