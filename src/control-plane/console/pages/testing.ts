// The testing page: the clock and the faults of the server. It requires the admin token.
import { plural } from '../../../base/text/words.ts';
import { stringifyJson } from '../../../base/json.ts';
import { setClock } from '../../api/input.ts';
import { isLoopback } from '../../api/hosts.ts';
import { Refusal, badRequest } from '../../core/refusal.ts';
import { FaultPlanError, faultPlanOf } from '../../faults/check-plan.ts';
import type { FaultRule } from '../../faults/plan.ts';
import { isSameSecret } from '../../resources/engine/naming.ts';
import type { Field } from '../../../api/index.ts';
import { fieldsMarkup } from '../form.ts';
import { tokenField } from '../page/layout.ts';
import { factsList, head, html, section, type Markup } from '../page/parts.ts';
import { redirect } from '../page/respond.ts';
import { showRefused, type FormVisit, type Page, type Visit } from '../visit.ts';
import { dateWords, durationWords } from '../words.ts';

const STEPS = ['5m', '1h', '1d', '7d', '30d'] as const;

function field(name: string, description: string): Field {
  return { name, isRequired: true, types: ['string'], words: [], description };
}

const TOKEN = field('admin_token', 'The server printed it when it started.');
const ADVANCE = field('advance', 'A duration such as 90s, 5m, 24h or 7d.');
const FAULT = field(
  'fault',
  'As for serve --fault, such as slow,action=start_compute,durationMs=60000, or a rule as JSON. The counts of all rules start again.',
);

/** Says why nobody can test with this server, or from this address. */
function obstacle({ adminToken, address }: Visit): string | undefined {
  if (adminToken === undefined)
    return 'The clock and the faults can be changed here when the server is started with trueup serve --admin.';
  return isLoopback(address) ? undefined : 'The admin interface answers only to the machine on which the server runs.';
}

export function testingPage(visit: Visit, sent?: URLSearchParams): Page {
  const why = obstacle(visit);
  const shown = (inside: Markup, live?: Markup): Page => ({
    title: 'Testing',
    current: 'testing',
    main: html`${head('Testing')} ${inside}`,
    live,
  });
  const form = (change: string, button: string, one: Field): Markup =>
    html`<form class="inline" method="post" action="/testing/${change}">
      ${tokenField(visit.session)}
      <div class="field">${fieldsMarkup([one], (name) => sent?.get(name) ?? '')}</div>
      <button class="primary" id="${change}">${button}</button>
    </form>`;
  if (why !== undefined) return shown(html`<p>${why}</p>`);
  if (visit.session.isTester !== true)
    return shown(html`<div class="panel padded">${form('enter', 'Enter', TOKEN)}</div>`);
  return shown(
    html`<p class="faint">A change here affects every user and program of this server.</p>
      <div class="panel padded">${form('clock', 'Set forward', ADVANCE)} ${form('faults', 'Add fault', FAULT)}</div>`,
    html`${section('clock-part', 'Clock', clockPart(visit))} ${section('faults-part', 'Faults', faultsPart(visit))}`,
  );
}

function buttonForm(visit: Visit, change: string, buttons: readonly Markup[]): Markup {
  return html`<form class="actions" method="post" action="/testing/${change}">
    ${tokenField(visit.session)} ${buttons}
  </form>`;
}

function clockPart(visit: Visit): Markup {
  const { now, ahead_ms: aheadMs, frozen } = visit.controlPlane.clock.state;
  const ahead = aheadMs < 1000 ? 'No' : `By ${durationWords(Math.round(aheadMs / 1000) * 1000)}`;
  return html`<div class="panel padded">
    ${factsList({
      Shows: html`<time datetime="${now}">${dateWords(now)}</time>`,
      Ahead: html`${ahead}`,
      Goes: html`${frozen ? 'No: it is frozen, and nothing falls due' : 'Yes'}`,
    })}
    ${buttonForm(visit, 'clock', [
      ...STEPS.map((step) => html`<button class="small" name="advance" value="${step}">Forward ${step}</button>`),
      html`<button class="small" id="freeze" name="frozen" value="${String(!frozen)}">
        ${frozen ? 'Let it go on' : 'Freeze'}
      </button>`,
    ])}
    <p class="faint">The clock is never set back. Operations, expiries and autosuspends follow it.</p>
  </div>`;
}

function faultsPart(visit: Visit): Markup {
  const { armed, plan } = visit.controlPlane.faults;
  const others = Object.entries<unknown>({ ...plan }).filter(([name]) => name !== 'rules' && name !== 'seed');
  if (armed.length + others.length === 0) return html`<p class="panel empty">No fault is in force.</p>`;
  return html`<div class="panel padded">
    <ul id="rules">
      ${armed.map(
        ({ rule, done }) =>
          html`<li><code>${stringifyJson(rule)}</code> <span class="faint line">${struckWords(rule, done)}</span></li>`,
      )}
      ${others.map(([name, value]) => html`<li><code>${stringifyJson({ [name]: value })}</code></li>`)}
    </ul>
    ${buttonForm(visit, 'no-faults', [html`<button class="small" id="no-faults">End all faults</button>`])}
  </div>`;
}

function struckWords({ times = 1 }: FaultRule, done: number): string {
  const struck = done === 0 ? 'Has not struck yet' : `Has struck ${plural(done, 'time')}`;
  return `${struck}${times === 'always' || done < times ? '' : ': used up'}.`;
}

const CHANGES: Readonly<Record<string, (visit: FormVisit, text: (name: string) => string) => string>> = {
  clock: ({ controlPlane }, text) => {
    const [frozen, advance] = [text('frozen'), text('advance')];
    setClock(controlPlane.clock, frozen === '' ? { advance } : { frozen: frozen === 'true' });
    controlPlane.settle();
    return `The clock shows ${dateWords(controlPlane.clock.state.now)}.`;
  },
  faults: ({ controlPlane }, text) => {
    const { plan } = controlPlane.faults;
    const added = faultPlanOf([text('fault')]);
    controlPlane.setFaults({ ...plan, ...added, rules: [...(plan.rules ?? []), ...(added.rules ?? [])] });
    return 'The fault is in force.';
  },
  'no-faults': ({ controlPlane }) => {
    controlPlane.setFaults({});
    return 'No fault is in force any more.';
  },
};

/** Changes the clock or the faults, or accepts the admin token. A refusal shows the page with the reason. */
export function test(visit: FormVisit): Response {
  const text = (name: string): string => (visit.form.get(name) ?? '').trim();
  try {
    visit.session.notice = { tone: 'good', text: changed(visit, text) };
    return redirect('/testing');
  } catch (error) {
    const isRefused = error instanceof RangeError || error instanceof FaultPlanError;
    const refusal = error instanceof Refusal ? error : isRefused ? badRequest(error.message) : undefined;
    if (refusal === undefined) throw error;
    return showRefused(visit, testingPage(visit, visit.form), refusal);
  }
}

function changed(visit: FormVisit, text: (name: string) => string): string {
  const change = visit.param('change');
  const isOpen = obstacle(visit) === undefined;
  if (change === 'enter') {
    if (!isOpen || !isSameSecret(text(TOKEN.name), visit.adminToken ?? ''))
      throw new Refusal(403, 'this is not the admin token of this server');
    visit.session.isTester = true;
    return 'You can change the clock and the faults.';
  }
  if (!isOpen || visit.session.isTester !== true)
    throw new Refusal(403, 'the clock and the faults need the admin token');
  const work = Object.hasOwn(CHANGES, change) ? CHANGES[change] : undefined;
  if (work === undefined) throw new Refusal(404, 'there is nothing to change at this address');
  return work(visit, text);
}
