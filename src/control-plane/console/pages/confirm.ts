// The page that asks once more before something is interrupted or taken away.
import { tokenField } from '../layout.ts';
import { html, noticeBox } from '../parts.ts';
import type { Markup } from '../parts.ts';
import type { Session } from '../sessions.ts';

export interface Confirmation {
  readonly trail: Markup | null;
  readonly title: Markup;
  readonly consequences: readonly string[];
  /** The path that the form is sent to. */
  readonly path: string;
  readonly button: string;
  /** True for what cannot be undone. */
  readonly isFinal: boolean;
  readonly cancelPath: string;
}

export function confirmMain(asked: Confirmation, session: Session, problem: string | undefined): Markup {
  return html`${asked.trail}
    <div class="narrow panel">
      <h1>${asked.title}</h1>
      ${asked.consequences.map((text) => html`<p>${text}</p>`)}
      ${problem === undefined ? null : noticeBox({ tone: 'bad', text: problem })}
      <form method="post" action="${asked.path}">
        ${tokenField(session)}
        <div class="buttons">
          <button class="${asked.isFinal ? 'danger' : 'primary'}" id="confirm">${asked.button}</button>
          <a class="button" href="${asked.cancelPath}">Cancel</a>
        </div>
      </form>
    </div>`;
}
