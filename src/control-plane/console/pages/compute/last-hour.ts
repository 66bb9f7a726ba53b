// The last hour of a compute as a small drawing: when it was active, and how many connections were open.
import { Refusal } from '../../../core/refusal.ts';
import { activityOf, type Moment } from '../../../resources/compute/activity.ts';
import { limitsOf } from '../../../resources/compute/connections.ts';
import { plural } from '../../../../base/text/words.ts';
import { isoTime } from '../../../../base/time/clock.ts';
import { html, pill, table, type Markup } from '../../page/parts.ts';
import type { Viewer } from '../../view.ts';
import { dateWords, stateStatus } from '../../words.ts';

const HOUR_MS = 3_600_000;
/** Size of the drawing in its own units: a tenth of a second wide, one connection or a share of many high. */
const WIDTH = 36_000;
const HEIGHT = 100;
/** The band of states lies below the connections. */
const BAND = 14;
const CHANGES_LISTED = 50;

/** A moment with its end, cut to the hour. */
export interface Span extends Moment {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The moments as spans of the hour up to `nowMs`, oldest first. */
export function spansOf(moments: readonly Moment[], nowMs: number): readonly Span[] {
  return moments
    .map((moment, at) => ({
      ...moment,
      fromMs: Math.max(moment.atMs, nowMs - HOUR_MS),
      toMs: Math.min(moments[at + 1]?.atMs ?? nowMs, nowMs),
    }))
    .filter(({ fromMs, toMs }) => toMs >= fromMs && toMs >= nowMs - HOUR_MS);
}

export function lastHour({ controlPlane }: Viewer, computeId: string): Markup {
  const { engine } = controlPlane;
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined) throw new Refusal(404, 'there is no such compute');
  const nowMs = engine.atMs;
  const spans = spansOf(activityOf(engine, compute), nowMs);
  const most = Math.max(0, ...spans.map((span) => span.most));
  const activeMs = spans.reduce((sum, { state, fromMs, toMs }) => sum + (state === 'active' ? toMs - fromMs : 0), 0);
  const now = spans.at(-1)?.connections ?? 0;
  const limit = limitsOf(compute).maxConnections;
  const words = `Active for ${Math.round(activeMs / 60_000)} of the last 60 minutes. Connections: ${now} now, ${most} at most, of ${limit}.`;
  return html`<p>${words}</p>
    ${drawing(spans, { nowMs, beganMs: engine.beganMs, most, words })}
    <div class="axis faint" aria-hidden="true"><span>1 hour ago</span><span>30 minutes ago</span><span>now</span></div>
    <ul class="legend faint">
      <li><span class="key active"></span>Active</li>
      <li><span class="key idle"></span>Idle</li>
      <li><span class="key init"></span>Starting</li>
      <li><span class="key line"></span>Connections${most > 0 ? `, the top is ${most}` : ''}</li>
    </ul>
    ${engine.beganMs > nowMs - HOUR_MS ? html`<p class="faint">This server has run since ${dateWords(isoTime(engine.beganMs))}: earlier connections are not known.</p>` : null}
    <details id="hour-changes">
      <summary>The changes as a table</summary>
      ${changes(spans)}
    </details>`;
}

interface Frame {
  readonly nowMs: number;
  readonly beganMs: number;
  readonly most: number;
  readonly words: string;
}

function drawing(spans: readonly Span[], { nowMs, beganMs, most, words }: Frame): Markup {
  const x = (ms: number): number => Math.round(((ms - nowMs + HOUR_MS) / HOUR_MS) * WIDTH);
  const room = HEIGHT - BAND - 6;
  const y = (connections: number): number => Math.round((4 + room * (1 - connections / Math.max(1, most))) * 10) / 10;
  const bands = sameStates(spans).map(
    ({ state, fromMs, toMs }) =>
      html`<rect
        class="${state}"
        x="${x(fromMs)}"
        y="${HEIGHT - BAND}"
        width="${Math.max(1, x(toMs) - x(fromMs))}"
        height="${BAND}"
      />`,
  );
  // Connections from before this process began are unknown.
  const known = spans.filter(({ toMs }) => toMs >= beganMs);
  const points = known.flatMap(({ fromMs, toMs, most: top, connections }) => {
    const begin = x(Math.max(fromMs, beganMs));
    return [`${begin},${y(top)}`, `${begin},${y(connections)}`, `${x(toMs)},${y(connections)}`];
  });
  const path = points.map((point, at) => html`${at === 0 ? 'M' : 'L'}${point}`);
  return html`<svg
    class="hour"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${words}"
  >
    <line class="rule" x1="0" y1="${y(0)}" x2="${WIDTH}" y2="${y(0)}" />
    ${bands}
    <path class="connections" d="${path}" />
  </svg>`;
}

/** Neighbours of one state as one. */
function sameStates(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last?.state === span.state) joined[joined.length - 1] = { ...last, toMs: span.toMs };
    else joined.push(span);
  }
  return joined;
}

function changes(spans: readonly Span[]): Markup {
  const shown = spans.slice(-CHANGES_LISTED).reverse();
  const rows = shown.map(({ atMs, state, connections, most }, at) => ({
    id: `change-${at}`,
    cells: [
      html`${dateWords(isoTime(atMs))}`,
      pill(stateStatus(state)),
      html`${plural(connections, 'connection')}${most > connections ? `, ${most} at most` : ''}`,
    ],
  }));
  return table('Changes in the last hour, newest first', ['Since', 'State', 'Connections'], rows);
}
