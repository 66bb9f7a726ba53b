// A form of the console: the page that asks, the API request, and the next page.
import { Secret } from '../../base/secret.ts';
import { Refusal } from '../core/refusal.ts';
import { fieldsOf, type Field } from './page/fields.ts';
import { tokenField } from './page/layout.ts';
import { html, noticeBox, type Markup } from './page/parts.ts';
import { redirect } from './page/respond.ts';
import { show, type FormVisit, type Visit } from './visit.ts';

export interface Action {
  /** Address of the page that asks; its form is sent there too. */
  readonly path: string;
  /** Throws Refusal where there is nothing to do it to. */
  readonly ask: (visit: Visit) => Asked;
  /** Does it. Throws Refusal: nothing was done then. */
  readonly act: (visit: FormVisit) => Done;
}

/** Path of the question in the console, and path of the way back. */
export interface Place {
  readonly current: 'projects' | 'keys' | 'testing';
  readonly trail: Markup;
  readonly cancelPath: string;
}

export interface Question {
  readonly title: string;
  /** Consequences, one paragraph each. */
  readonly text?: readonly string[];
  readonly fields?: readonly Field[];
  /** Null where it cannot be done: the text says why. */
  readonly button: string | null;
  /** True for what cannot be undone. */
  readonly isFinal?: boolean;
}

export type Asked = Place & Question;

export interface Done {
  /** The page that follows. */
  readonly path: string;
  readonly notice?: string;
  /** A secret that the following page shows, once. */
  readonly told?: { readonly title: string; readonly value: string };
  readonly headers?: Readonly<Record<string, string>>;
}

interface Refused {
  readonly refusal: Refusal;
  readonly form: URLSearchParams;
}

/** The page that asks; after a refusal it says so, and has what was typed. */
export function askPage(visit: Visit, action: Action, refused?: Refused): Response {
  const asked = action.ask(visit);
  const { title, current } = asked;
  const main = html`${asked.trail}
    <div class="narrow panel">
      <h1>${title}</h1>
      ${(asked.text ?? []).map((text) => html`<p>${text}</p>`)}
      ${refused === undefined ? null : noticeBox({ tone: 'bad', text: `Nothing was done: ${refused.refusal.message}.` })}
      ${asked.button === null ? html`<div class="buttons">${wayBack(asked, 'Back')}</div>` : formOf(visit, asked, refused)}
    </div>`;
  // The title is what is read out first.
  const said = refused === undefined ? title : `Nothing was done: ${title}`;
  return show(visit, { title: said, current, main }, refused?.refusal.status);
}

function formOf(visit: Visit, asked: Asked, refused: Refused | undefined): Markup {
  return html`<form method="post" action="${visit.url.pathname}">
    ${tokenField(visit.session)} ${fieldsOf(asked.fields ?? [], refused?.form)}
    <div class="buttons">
      <button class="${asked.isFinal === true ? 'danger' : 'primary'}" id="confirm">${asked.button}</button>
      ${wayBack(asked, 'Cancel')}
    </div>
  </form>`;
}

function wayBack({ cancelPath }: Asked, words: string): Markup {
  return html`<a class="button" href="${cancelPath}">${words}</a>`;
}

/** The question, or the reason why the action is impossible. */
export function unlessKept(why: string | null, question: Question): Question {
  return why === null ? question : { ...question, text: [why], button: null };
}

/** Does it and leads on: a reload of the page that follows does nothing again. */
export function perform(visit: FormVisit, action: Action): Response {
  let done: Done;
  try {
    done = action.act(visit);
  } catch (error) {
    if (error instanceof Refusal) return askPage(visit, action, { refusal: error, form: visit.form });
    throw error;
  }
  return leadOn(visit, done);
}

/** To the page that follows, with what it is to say. */
export function leadOn({ session }: FormVisit, { path, notice, told, headers }: Done): Response {
  if (notice !== undefined) session.notice = { tone: 'good', text: notice };
  if (told === undefined) return redirect(path, headers);
  const id = String(Number(session.told?.id ?? 0) + 1);
  session.told = { id, title: told.title, value: new Secret(told.value) };
  return redirect(`${path}?told=${id}`, headers);
}

/** Text of a field, without surrounding space. */
export function typed({ form }: FormVisit, name: string): string {
  return (form.get(name) ?? '').trim();
}

/** `{name: value}` of a field that was filled in, else nothing. */
export function given(visit: FormVisit, name: string, member: string = name): Record<string, string> {
  const value = typed(visit, name);
  return value === '' ? {} : { [member]: value };
}

/** A number as the form sends it; what is none is left to the API's own refusal. */
export function numberOf(text: string): number {
  return text === '' ? NaN : Number(text);
}
