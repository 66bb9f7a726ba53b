// For those who test: the clock set forward or stopped, and faults, behind the token of the admin interface.
import { plural } from '../../../base/text/words.ts';
import { stringifyJson } from '../../../base/json.ts';
import { isSameSecret } from '../../resources/engine/naming.ts';
import { Refusal, badRequest } from '../../core/refusal.ts';
import { FaultPlanError } from '../../faults/check-plan.ts';
import { faultPlanOf } from '../../faults/fault-text.ts';
import type { FaultRule } from '../../faults/plan.ts';
import { setClock } from '../../api/clock.ts';
import { isLoopback } from '../../api/hosts.ts';
import { typed, type Action } from '../action.ts';
import { fieldsOf, type Field } from '../page/fields.ts';
import { tokenField } from '../page/layout.ts';
import { factsList, html, section, trail, type Markup } from '../page/parts.ts';
import type { Page, Visit } from '../visit.ts';
import { dateWords, durationWords } from '../words.ts';

const STEPS = [
  ['5m', '5 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

const PLACE = { current: 'testing', trail: trail([['/testing', 'Testing']]), cancelPath: '/testing' } as const;
const TOKEN: Field = { kind: 'password', name: 'admin_token', label: 'Admin token', maxLength: 200, isRequired: true };
const ADVANCE: Field = {
  kind: 'text',
  name: 'advance',
  label: 'Set the clock forward by',
  maxLength: 20,
  placeholder: '90s, 5m, 24h or 7d',
};
const FAULT: Field = {
  kind: 'text',
  name: 'fault',
  label: 'A fault',
  maxLength: 2000,
  isRequired: true,
  placeholder: 'slow,action=start_compute,durationMs=60000',
  help: 'As for serve --fault: a kind with its members, or a rule as JSON. The counts of all rules start again.',
};

/** Why this person cannot test here; undefined for one who can. */
function obstacle({ adminToken, address, session }: Visit): 'off' | 'elsewhere' | 'locked' | undefined {
  if (adminToken === undefined) return 'off';
  if (!isLoopback(address)) return 'elsewhere';
  return session.isTester === true ? undefined : 'locked';
}

function requireTester(visit: Visit): void {
  if (obstacle(visit) !== undefined) throw new Refusal(403, 'the clock and the faults need the admin token');
}

/** Asked and done for those alone who can test here. */
function forTesters({ path, ask, act }: Action): Action {
  return {
    path,
    ask: (visit) => {
      requireTester(visit);
      return ask(visit);
    },
    act: (visit) => {
      requireTester(visit);
      return act(visit);
    },
  };
}

export function testingPage(visit: Visit): Page {
  const why = obstacle(visit);
  const frame = { title: 'Testing', current: 'testing' } as const;
  if (why !== undefined)
    return {
      ...frame,
      main: html`<h1>Testing</h1>
        ${lockedPart(visit, why)}`,
    };
  return {
    ...frame,
    main: html`<h1>Testing</h1>
      <p class="faint">A change here affects every user and program of this server.</p>`,
    live: html`${section('clock', 'Clock', clockPart(visit))} ${section('faults', 'Faults', faultsPart(visit))}`,
  };
}

function lockedPart({ session }: Visit, why: 'off' | 'elsewhere' | 'locked'): Markup {
  if (why === 'off')
    return html`<p>
      The clock and the faults can be changed here when the server is started with <code>trueup serve --admin</code>.
    </p>`;
  if (why === 'elsewhere')
    return html`<p>The admin interface answers to the machine alone that the server runs on.</p>`;
  return html`<section class="panel padded" aria-labelledby="enter-title">
    <h2 id="enter-title">Enter the admin token</h2>
    <p class="faint">The server printed it when it started.</p>
    <form class="inline" method="post" action="/testing/enter">
      ${tokenField(session)}
      <div class="field">${fieldsOf([TOKEN])}</div>
      <button class="primary" id="enter">Go on</button>
    </form>
  </section>`;
}

function clockPart({ controlPlane, session }: Visit): Markup {
  const { now, ahead_ms: aheadMs, frozen } = controlPlane.clock.state;
  const ahead = aheadMs < 1000 ? 'No' : `By ${durationWords(Math.round(aheadMs / 1000) * 1000)}`;
  return html`<div class="panel padded">
    ${factsList([
      ['Shows', html`<time datetime="${now}">${dateWords(now)}</time>`],
      ['Ahead', html`${ahead}`],
      ['Goes', html`${frozen ? 'No: it is frozen, and nothing falls due' : 'Yes'}`],
    ])}
    <form class="actions" method="post" action="/testing/clock">
      ${tokenField(session)}
      ${STEPS.map(([value, words]) => html`<button class="small" name="advance" value="${value}">Forward ${words}</button>`)}
      <button class="small" id="freeze" name="frozen" value="${String(!frozen)}">
        ${frozen ? 'Let it go on' : 'Freeze'}
      </button>
      <a class="button small" href="/testing/clock">Forward by…</a>
    </form>
    <p class="faint">The clock is never set back. Operations, expiries and autosuspends follow it.</p>
  </div>`;
}

function faultsPart({ controlPlane, session }: Visit): Markup {
  const { faults } = controlPlane;
  const { armed } = faults;
  const others = Object.entries<unknown>({ ...faults.plan }).filter(([name]) => name !== 'rules' && name !== 'seed');
  const isCalm = armed.length + others.length === 0;
  return html`<div class="panel padded">
    ${
      isCalm
        ? html`<p class="faint">Nothing goes wrong on purpose.</p>`
        : html`<ul id="rules">
            ${armed.map(
              ({ rule, done }) =>
                html`<li>
                  <code>${stringifyJson(rule)}</code> <span class="faint line">${struckWords(rule, done)}</span>
                </li>`,
            )}
            ${others.map(([name, value]) => html`<li><code>${stringifyJson({ [name]: value })}</code></li>`)}
          </ul>`
    }
    <div class="actions">
      <a class="button small" id="new-fault" href="/testing/new-fault">Add a fault</a>
      ${
        isCalm
          ? null
          : html`<form method="post" action="/testing/no-faults">
              ${tokenField(session)}<button class="small" id="no-faults">End all faults</button>
            </form>`
      }
    </div>
  </div>`;
}

/** How often a rule has struck, and whether it is used up. */
function struckWords({ times = 1 }: FaultRule, done: number): string {
  const struck = done === 0 ? 'Has not struck yet' : `Has struck ${plural(done, 'time')}`;
  return `${struck}${times === 'always' || done < times ? '' : ': used up'}.`;
}

const enter: Action = {
  path: '/testing/enter',
  ask: () => ({ ...PLACE, title: 'Enter the admin token', fields: [TOKEN], button: 'Go on' }),
  act: (visit) => {
    const isIt = isSameSecret(typed(visit, TOKEN.name), visit.adminToken ?? '');
    if (obstacle(visit) !== 'locked' || !isIt) throw new Refusal(403, 'this is not the admin token of this server');
    visit.session.isTester = true;
    return { path: '/testing' };
  },
};

const clock: Action = {
  path: '/testing/clock',
  ask: () => ({
    ...PLACE,
    title: 'Set the clock forward',
    text: ['Events of the skipped time happen at once, each with its own time. The clock is never set back.'],
    fields: [ADVANCE],
    button: 'Set forward',
  }),
  act: (visit) => {
    const frozen = typed(visit, 'frozen');
    const advance = typed(visit, 'advance');
    // A button stands for one of the two.
    const body = {
      ...(frozen === '' ? {} : { frozen: frozen === 'true' }),
      ...(advance === '' && frozen !== '' ? {} : { advance }),
    };
    refused(() => setClock(visit.controlPlane.clock, body));
    visit.controlPlane.settle();
    return { path: '/testing', notice: `The clock shows ${dateWords(visit.controlPlane.clock.state.now)}.` };
  },
};

const newFault: Action = {
  path: '/testing/new-fault',
  ask: () => ({ ...PLACE, title: 'Add a fault', fields: [FAULT], button: 'Add fault' }),
  act: (visit) => {
    const { controlPlane } = visit;
    const { plan } = controlPlane.faults;
    refused(() => {
      const added = faultPlanOf([typed(visit, FAULT.name)]);
      controlPlane.setFaults({ ...plan, ...added, rules: [...(plan.rules ?? []), ...(added.rules ?? [])] });
    });
    return { path: '/testing', notice: 'The fault is in force.' };
  },
};

const noFaults: Action = {
  path: '/testing/no-faults',
  ask: () => ({ ...PLACE, title: 'End all faults?', button: 'End all faults' }),
  act: (visit) => {
    visit.controlPlane.setFaults({});
    return { path: '/testing', notice: 'Nothing goes wrong on purpose any more.' };
  },
};

export const testingActions: readonly Action[] = [enter, ...[clock, newFault, noFaults].map(forTesters)];

/** Values that the clock or the faults do not accept are refused. */
function refused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof FaultPlanError) throw badRequest(error.message);
    throw error;
  }
}
