// The API keys page: create one (its value is shown once), see when each was last used, revoke after a question.
import { plural } from '../../../base/text/words.ts';
import type { ApiKeyCreated, ServedApiKeyList } from '../../../api/index.ts';
import { Refusal, badRequest } from '../../core/refusal.ts';
import { typed, type Action } from '../action.ts';
import { fieldsOf, type Field } from '../page/fields.ts';
import { tokenField } from '../page/layout.ts';
import { html, linkButton, pager, table, time, trail, pathTo, type Markup, type Row } from '../page/parts.ts';
import { sessionCookie, type Session } from '../sessions.ts';
import { get, send } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { dateWords } from '../words.ts';

const KEYS = ['api_keys'] as const;
const PLACE = { current: 'keys', trail: trail([['/keys', 'API keys']]), cancelPath: '/keys' } as const;

export function keysPage(visit: Visit): Page {
  const page = Math.min(100_000, Math.max(1, Math.trunc(Number(visit.url.searchParams.get('page') ?? 1)) || 1));
  const keys = get(visit, KEYS) as ServedApiKeyList;
  return { title: 'API keys', current: 'keys', main: keysMain(keys, visit.session, page) };
}

const NAME: Field = {
  kind: 'text',
  name: 'name',
  label: 'Name',
  maxLength: 64,
  isRequired: true,
  placeholder: 'Program or person that will use the key',
};

const createKey: Action = {
  path: '/new-key',
  ask: () => ({ ...PLACE, title: 'Create a key', fields: [NAME], button: 'Create key' }),
  act: (visit) => {
    const name = typed(visit, 'name');
    if (name === '') throw badRequest('a key needs a name');
    const { id, key } = send(visit, 'POST', KEYS, { key_name: name }) as ApiKeyCreated;
    return { path: '/keys', told: { title: `Copy your new key ${String(id)} now`, value: key } };
  },
};

const revokeKey: Action = {
  path: '/keys/:key/revoke',
  ask: (visit) => {
    const id = visit.param('key');
    const key = (get(visit, KEYS) as ServedApiKeyList).find((item) => String(item.id) === id);
    if (key === undefined) throw new Refusal(404, 'there is no valid key with this id');
    return {
      ...PLACE,
      title: `Revoke “${nameOf(key)}”?`,
      text: [
        'From that moment every request using this key fails. Revoking cannot be undone.',
        isUsed(key) ? `It was last used ${dateWords(String(key.last_used_at))}.` : 'It has never been used.',
        ...(id === visit.keyId ? ['You are signed in with this key: revoking it signs you out.'] : []),
      ],
      button: 'Revoke key',
      isFinal: true,
    };
  },
  act: (visit) => {
    const id = visit.param('key');
    send(visit, 'DELETE', [...KEYS, id]);
    if (id === visit.keyId)
      return { path: '/?ended=key', headers: { 'Set-Cookie': sessionCookie(visit.request, undefined) } };
    return { path: '/keys', notice: `Key ${id} is revoked.` };
  },
};

export const keyActions: readonly Action[] = [createKey, revokeKey];

function nameOf({ name }: ServedApiKeyList[number]): string {
  return name === '' ? '(no name)' : name;
}

const KEYS_PER_PAGE = 100;
/** "Limits": no strict limit, under 10,000 recommended. */
const RECOMMENDED_KEYS = 10_000;

/** Pages count from 1. */
function keysMain(keys: ServedApiKeyList, session: Session, page: number): Markup {
  const newestFirst = keys.toReversed();
  const shown = newestFirst.slice((page - 1) * KEYS_PER_PAGE, page * KEYS_PER_PAGE);
  const pathOf = (page: number): string => `/keys?page=${page}`;
  const newer = page === 1 ? [] : [[pathOf(page - 1), 'Newer'] as const];
  const hasOlder = page * KEYS_PER_PAGE < keys.length;
  const older = hasOlder ? [[pathOf(page + 1), 'Older'] as const] : [];
  const headings = ['Name', 'Id', 'Created', 'Last used', 'From', 'Actions'];
  return html`<h1>API keys</h1>
    <p class="faint">A key gives access to all projects of this account until it is revoked.</p>
    <section class="panel padded" aria-labelledby="create-title">
      <h2 id="create-title">Create a key</h2>
      <form class="inline" method="post" action="/new-key">
        ${tokenField(session)}
        <div class="field">${fieldsOf([NAME])}</div>
        <button class="primary" id="create-key">Create key</button>
      </form>
      ${keys.length > RECOMMENDED_KEYS ? html`<p class="faint">More than 10,000 keys are not recommended.</p>` : null}
    </section>
    <section aria-labelledby="keys-title">
      <h2 id="keys-title">${plural(keys.length, 'valid key')}</h2>
      <div class="panel">
        ${table(
          'Valid API keys, newest first',
          headings,
          shown.map((key) => rowOf(key, session)),
        )}
      </div>
      ${pager('Pages of keys', [...newer, ...older])}
    </section>`;
}

function rowOf(key: ServedApiKeyList[number], session: Session): Row {
  const id = String(key.id);
  const isOwn = id === session.key.id;
  const used = isUsed(key);
  return {
    id: `key-${id}`,
    cells: [
      html`<span class="name">${nameOf(key)}</span
        >${isOwn ? html` <span class="pill quiet">Signed in with</span>` : null}`,
      html`<code class="whole">${id}</code>`,
      time(key.created_at),
      used ? time(key.last_used_at) : html`<span class="faint">Never</span>`,
      used && key.last_used_from_addr
        ? html`<code class="whole">${key.last_used_from_addr}</code>`
        : html`<span class="faint">–</span>`,
      linkButton(pathTo('keys', id, 'revoke'), 'Revoke', { id: `revoke-${id}`, about: nameOf(key) }),
    ],
  };
}

/** A key never used has no date, an empty one, or the epoch. */
function isUsed({ last_used_at: at }: ServedApiKeyList[number]): boolean {
  return typeof at === 'string' && at !== '' && Date.parse(at) !== 0;
}
