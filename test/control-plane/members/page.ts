// The page that says of each member of each body what becomes of it, written from the rows that the tests go through.
import { routes, unmodelledRoutes } from '../../../src/api/index.ts';
import type { Row } from './rows.ts';

const HEAD = `<!-- written by a test: UPDATE=1 npx vitest run test/control-plane/members -->

# Members of requests

Whatever a client can send to a route of the local server is stored, shown and acted upon, or refused by its name. A test goes
through the wire schemas and proves each row below: it sends the value, reads it back from where the row says, and sees that it is not
there without being sent. A value of another type is a 400 that names the member. Members that nobody published are ignored.`;

const MEMBERS = ['member', 'becomes'];

export function pageOf(rows: readonly Row[]): string {
  const ofRequest = (id: string): Row[] => rows.filter(({ request }) => request === id);
  const sections = routes
    .filter(({ body }) => body !== undefined)
    .flatMap(({ method, path, id }) => [`## \`${method} ${path}\``, table(MEMBERS, ofRequest(id).map(cells))]);
  const missing = Object.entries(unmodelledRoutes).map(([path, some]) => [`\`${path}\``, some.replaceAll(' ', ', ')]);
  return [
    HEAD,
    ...sections,
    '## Routes that are not modelled',
    'Published, and answered 501 `NOT_MODELLED` with their name. GET of `auth` or `data-api` is 404: no branch has them. The query parameter `hard_delete` of a branch is answered so too.',
    table(['route', 'methods'], missing),
  ].join('\n\n');
}

function cells({ path, shown, status, note }: Row): string[] {
  if (shown === undefined) return [`\`${path}\``, `refused with ${status}${note === undefined ? '' : `: ${note}`}`];
  return [`\`${path}\``, `shown at \`${shown}\`${note === undefined ? '' : `, ${note}`}`];
}

export function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (items: readonly string[]): string => `| ${items.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}
