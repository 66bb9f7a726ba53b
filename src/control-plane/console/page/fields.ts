// Fields of forms: a line of text, a choice, a tick; each shows again what was sent, where that was refused.
import { html, type Markup } from './parts.ts';

interface Common {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
}

interface TextField extends Common {
  readonly kind: 'text' | 'password';
  readonly value?: string;
  readonly maxLength: number;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
}

export type Field =
  | TextField
  | (Common & {
      readonly kind: 'choice';
      readonly value: string;
      readonly options: readonly (readonly [value: string, words: string])[];
    })
  | (Common & { readonly kind: 'tick'; readonly value?: boolean });

/** A choice among things that have a name, by their ids. */
export function choiceOf(
  name: string,
  label: string,
  value: string,
  things: readonly { readonly id: string; readonly name: string }[],
): Field {
  return { kind: 'choice', name, label, value, options: things.map((thing) => [thing.id, thing.name] as const) };
}

/** The fields, with what `sent` has in the place of their own values. */
export function fieldsOf(fields: readonly Field[], sent?: URLSearchParams): Markup[] {
  return fields.map((field) => {
    const help =
      field.help === undefined ? null : html`<p class="faint help" id="${field.name}-help">${field.help}</p>`;
    return html`${controlOf(field, sent)} ${help}`;
  });
}

function controlOf(field: Field, sent: URLSearchParams | undefined): Markup {
  const { name, label } = field;
  const described = field.help === undefined ? null : html` aria-describedby="${name}-help"`;
  switch (field.kind) {
    case 'tick': {
      const isTicked = sent === undefined ? field.value === true : sent.has(name);
      return html`<label class="tick"
        ><input type="checkbox" name="${name}" value="yes" ${isTicked ? html` checked` : null} ${described} />
        ${label}</label
      >`;
    }
    case 'choice':
      return html`<label for="${name}">${label}</label>
        <select id="${name}" name="${name}" ${described}>
          ${field.options.map(
            ([value, words]) =>
              html`<option value="${value}" ${value === (sent?.get(name) ?? field.value) ? html` selected` : null}>
                ${words}
              </option>`,
          )}
        </select>`;
    case 'text':
    case 'password':
      return html`<label for="${name}">${label}</label>
        ${textOf(field, described, sent?.get(name) ?? field.value ?? '')}`;
    default:
      return field satisfies never;
  }
}

function textOf(field: TextField, described: Markup | null, value: string): Markup {
  const { name, kind, maxLength, placeholder = '', isRequired } = field;
  return html`<input
    id="${name}"
    name="${name}"
    type="${kind}"
    maxlength="${maxLength}"
    value="${kind === 'password' ? '' : value}"
    placeholder="${placeholder}"
    autocomplete="off"
    autocapitalize="none"
    spellcheck="false"
    ${isRequired === true ? html` required` : null}
    ${described}
  />`;
}
