// What can be done with API keys: list, create (the value is shown once), revoke after a question.
import type { ApiKeyCreated, ApiKeyListItem } from '../../api/index.ts';
import { Secret } from '../../base/secret.ts';
import { Refusal } from '../engine/refusal.ts';
import { confirmMain } from './confirm-page.ts';
import { sessionCookie } from './cookie.ts';
import { html, pathTo, trail } from './parts.ts';
import { keysMain } from './keys-page.ts';
import type { KeysView } from './keys-page.ts';
import { redirect } from './respond.ts';
import type { Session } from './sessions.ts';
import { refusalOf } from './view.ts';
import { show } from './visit.ts';
import type { FormVisit, Visit } from './visit.ts';
import { dateWords } from './words.ts';

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
