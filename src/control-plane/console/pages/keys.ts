// The API keys page: the valid keys of the account and its organizations, as far as the session's key may list them.
import { plural } from '../../../base/text/words.ts';
import type { ServedApiKeyList } from '../../../api/index.ts';
import { head, html, pager, section, table, time, type Row } from '../page/parts.ts';
import { orNothing, requestLinks } from '../request.ts';
import type { Session } from '../sessions.ts';
import { ask, type Values } from '../view.ts';
import type { Page, Visit } from '../visit.ts';

const KEYS_PER_PAGE = 100;

export function keysPage(visit: Visit): Page {
  const cursor = Number(visit.url.searchParams.get('cursor') ?? Infinity);
  const { organizations } = ask(visit, 'getCurrentUserOrganizations');
  const homes: readonly Values[] = [{}, ...organizations.map(({ id }) => ({ org_id: id }))];
  const lists = homes.flatMap((home) => orNothing(() => [keysIn(visit, home)]) ?? []);
  // If the key may list nothing, this call throws the refusal that the page shows.
  if (lists.length === 0) keysIn(visit, {});
  const keys = lists
    .flatMap(({ home, keys }) => keys.map((key) => ({ key, home })))
    .sort((a, b) => Number(b.key.id) - Number(a.key.id));
  const older = keys.filter(({ key }) => Number(key.id) < cursor);
  const shown = older.slice(0, KEYS_PER_PAGE);
  const next = shown.length < older.length ? String(shown.at(-1)?.key.id) : undefined;
  const actions = lists.map(({ home }) => requestLinks(home, { tag: 'API keys' }));
  const rows = shown.map(({ key, home }) => rowOf(key, home, visit.session));
  return {
    title: 'API keys',
    current: 'keys',
    main: html`${head('API keys', html`<p class="faint">A key gives access until it is revoked.</p>`, actions)}
    ${section(
      'keys',
      plural(keys.length, 'valid key'),
      html`${table('Valid API keys, newest first', rows)} ${pager('keys', visit.url, next)}`,
    )}`,
  };
}

/** The keys of the account, or of the organization that `home` names. */
function keysIn(visit: Visit, home: Values): { readonly home: Values; readonly keys: ServedApiKeyList } {
  return { home, keys: ask(visit, home['org_id'] === undefined ? 'listApiKeys' : 'listOrgApiKeys', home) };
}

function rowOf(key: ServedApiKeyList[number], home: Values, session: Session): Row {
  const id = String(key.id);
  const name = key.name === '' ? '(no name)' : key.name;
  const { last_used_at: at, last_used_from_addr: from } = key;
  // For a key that was never used, the API sends no date, an empty one, or the epoch.
  const isUsed = typeof at === 'string' && at !== '' && Date.parse(at) !== 0;
  return {
    id: `key-${id}`,
    cells: {
      Name: html`<span class="name">${name}</span
        >${id === session.key.id ? html` <span class="pill quiet">Signed in with</span>` : null}`,
      Id: html`<code class="whole">${id}</code>`,
      Of: html`${home['org_id'] ?? 'the account'}`,
      Created: time(key.created_at),
      'Last used': isUsed ? time(at) : html`<span class="faint">Never</span>`,
      From: isUsed && from ? html`<code class="whole">${from}</code>` : html`<span class="faint">–</span>`,
      Actions: requestLinks({ ...home, key_id: id }, { about: name }),
    },
  };
}
