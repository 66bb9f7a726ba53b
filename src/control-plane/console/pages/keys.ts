// The API keys page: create one (its value is shown once), see when each was last used, revoke after a question.
import type { ApiKeyCreated, ApiKeyListItem } from '../../../api/index.ts';
import { Secret } from '../../../base/secret.ts';
import { Refusal } from '../../engine/refusal.ts';
import { tokenField } from '../layout.ts';
import { html, noticeBox, pathTo, table, time, trail } from '../parts.ts';
import type { Markup, Row } from '../parts.ts';
import { redirect } from '../respond.ts';
import { sessionCookie } from '../sessions.ts';
import type { Session } from '../sessions.ts';
import { refusalOf } from '../view.ts';
import { show } from '../visit.ts';
import type { FormVisit, Visit } from '../visit.ts';
import { counted, dateWords } from '../words.ts';
import { confirmMain } from './confirm.ts';

const KEYS = ['api_keys'] as const;

export function showKeys(visit: Visit): Response {
  const id = visit.url.searchParams.get('created');
  const created = id !== null && /^\d{1,20}$/.test(id) ? { created: takeCreated(visit.session, id) } : {};
  return keysPage(visit, created);
}

/** The value of the key just created: whoever asks second is told that it was shown. */
function takeCreated(session: Session, id: string): { readonly id: string; readonly value?: Secret } {
  const { created } = session;
  if (created?.keyId !== id) return { id };
  delete session.created;
  return { id, value: created.value };
}

function keysPage(visit: Visit, more: Partial<KeysView>, status?: number): Response {
  const page = Math.min(100_000, Math.max(1, Math.trunc(Number(visit.url.searchParams.get('page') ?? 1)) || 1));
  const main = keysMain({ keys: keysOf(visit), session: visit.session, page, ...more });
  return show(visit, { title: 'API keys', current: 'keys', main }, status);
}

function keysOf({ gateway, keyId }: Visit): readonly ApiKeyListItem[] {
  return gateway(keyId, { verb: 'GET', path: KEYS }) as ApiKeyListItem[];
}

/** Creates a key, then leads to the page that shows its value: a reload of that page creates no second one. */
export function createKey(visit: FormVisit): Response {
  const name = (visit.form.get('name') ?? '').trim();
  if (name === '') return keysPage(visit, { problem: 'Give the key a name.', name }, 400);
  let reply: ApiKeyCreated | undefined;
  const refusal = refusalOf(() => {
    const question = { verb: 'POST', path: KEYS, body: { key_name: name } } as const;
    reply = visit.gateway(visit.keyId, question) as ApiKeyCreated;
  });
  if (refusal !== undefined || reply === undefined)
    return keysPage(visit, { problem: `No key was created: ${refusal?.message ?? ''}.`, name }, refusal?.status);
  const id = String(reply.id);
  visit.session.created = { keyId: id, value: new Secret(reply.key) };
  return redirect(`/keys?created=${id}`);
}

export function askRevoke(visit: Visit, problem?: string, status?: number): Response {
  const id = visit.param('key');
  const key = keysOf(visit).find((item) => String(item.id) === id);
  if (key === undefined) throw new Refusal(404, 'there is no valid key with this id');
  const used = typeof key.last_used_at === 'string' && Date.parse(key.last_used_at) > 0;
  const asked = {
    trail: trail([['/keys', 'API keys']]),
    title: html`Revoke “${key.name}”?`,
    consequences: [
      'From that moment every request using this key fails. Revoking cannot be undone.',
      used ? `It was last used ${dateWords(String(key.last_used_at))}.` : 'It has never been used.',
      ...(id === visit.keyId ? ['You are signed in with this key: revoking it signs you out.'] : []),
    ],
    path: pathTo('keys', id, 'revoke'),
    button: 'Revoke key',
    isFinal: true,
    cancelPath: '/keys',
  };
  const main = confirmMain(asked, visit.session, problem);
  return show(visit, { title: `Revoke ${key.name}`, current: 'keys', main }, status);
}

export function revokeKey(visit: FormVisit): Response {
  const id = visit.param('key');
  const refusal = refusalOf(() => visit.gateway(visit.keyId, { verb: 'DELETE', path: [...KEYS, id] }));
  if (refusal !== undefined && refusal.status !== 503) {
    visit.session.notice = { tone: 'bad', text: `Nothing was revoked: ${refusal.message}.` };
    return redirect('/keys');
  }
  if (refusal !== undefined) return askRevoke(visit, `Nothing was revoked: ${refusal.message}.`, refusal.status);
  if (id === visit.keyId) return redirect('/?ended=key', { 'Set-Cookie': sessionCookie(visit.request, undefined) });
  visit.session.notice = { tone: 'good', text: `Key ${id} is revoked.` };
  return redirect('/keys');
}

const KEYS_PER_PAGE = 100;
/** "Limits": no strict limit, under 10,000 recommended. */
const RECOMMENDED_KEYS = 10_000;

export interface KeysView {
  readonly keys: readonly ApiKeyListItem[];
  readonly session: Session;
  /** Pages count from 1. */
  readonly page: number;
  /** A key just created; its value is here only the first time. */
  readonly created?: { readonly id: string; readonly value?: Secret };
  readonly problem?: string;
  readonly name?: string;
}

function keysMain(view: KeysView): Markup {
  const newestFirst = view.keys.toReversed();
  const shown = newestFirst.slice((view.page - 1) * KEYS_PER_PAGE, view.page * KEYS_PER_PAGE);
  const headings = ['Name', 'Id', 'Created', 'Last used', 'From', 'Actions'];
  return html`<h1>API keys</h1>
    <p class="faint">A key gives access to all projects of this account until it is revoked.</p>
    ${view.created === undefined ? null : createdBox(view.created)}
    <section class="panel padded" aria-labelledby="create-title">
      <h2 id="create-title">Create a key</h2>
      ${view.problem === undefined ? null : noticeBox({ tone: 'bad', text: view.problem })}
      <form class="inline" method="post" action="/keys">
        ${tokenField(view.session)}
        <div class="field">
          <label for="key-name">Name</label>
          <input
            id="key-name"
            name="name"
            required
            maxlength="64"
            value="${view.name ?? ''}"
            placeholder="What will use it"
            autocomplete="off"
          />
        </div>
        <button class="primary" id="create-key">Create key</button>
      </form>
      ${view.keys.length > RECOMMENDED_KEYS ? html`<p class="faint">More than 10,000 keys are not recommended.</p>` : null}
    </section>
    <section aria-labelledby="keys-title">
      <h2 id="keys-title">${counted(view.keys.length, 'valid key')}</h2>
      <div class="panel">
        ${table(
          'Valid API keys, newest first',
          headings,
          shown.map((key) => rowOf(key, view.session)),
        )}
      </div>
      ${pager(view)}
    </section>`;
}

function createdBox({ id, value }: { readonly id: string; readonly value?: Secret }): Markup {
  if (value === undefined)
    return html`<p class="notice good" role="status">
      The value of key ${id} was shown once and cannot be viewed again. If it is lost, revoke the key and create
      another.
    </p>`;
  return html`<section class="panel padded fresh" aria-labelledby="created-title">
    <h2 id="created-title">Copy your new key now</h2>
    <p>This is the only time that its value is shown. Keep it where secrets are kept.</p>
    <div class="value">
      <code id="key-value" tabindex="0" role="group" aria-label="Value of the new key">${value.reveal()}</code>
      <button type="button" class="primary" id="copy-key" data-copy="key-value" hidden>Copy</button>
    </div>
    <p class="faint" role="status" id="copied"></p>
  </section>`;
}

function rowOf(key: ApiKeyListItem, session: Session): Row {
  const id = String(key.id);
  const isOwn = id === session.keyId;
  const used = isUsed(key);
  return {
    id: `key-${id}`,
    cells: [
      html`<span class="name">${key.name}</span
        >${isOwn ? html` <span class="pill quiet">Signed in with</span>` : null}`,
      html`<code class="whole">${id}</code>`,
      time(key.created_at),
      used ? time(key.last_used_at) : html`<span class="faint">Never</span>`,
      used && key.last_used_from_addr
        ? html`<code class="whole">${key.last_used_from_addr}</code>`
        : html`<span class="faint">–</span>`,
      html`<a class="button small" id="revoke-${id}" href="${pathTo('keys', id, 'revoke')}"
        >Revoke<span class="unseen"> ${key.name}</span></a
      >`,
    ],
  };
}

/** A key never used has no date, an empty one, or the epoch. */
function isUsed({ last_used_at: at }: ApiKeyListItem): boolean {
  return typeof at === 'string' && at !== '' && Date.parse(at) !== 0;
}

function pager({ keys, page }: KeysView): Markup {
  const isLast = page * KEYS_PER_PAGE >= keys.length;
  if (page === 1 && isLast) return html``;
  return html`<nav class="pager" aria-label="Pages of keys">
    ${page === 1 ? null : html`<a class="button" href="/keys?page=${page - 1}">Newer</a>`}
    ${isLast ? null : html`<a class="button" href="/keys?page=${page + 1}">Older</a>`}
  </nav>`;
}
