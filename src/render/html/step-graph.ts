// The order of the steps as an inline SVG.
import { plural } from '../../base/text/words.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { roundsOf, type GraphNode } from '../../model/rounds.ts';
import { html, type Markup } from './markup.ts';
import { shown } from '../text/escape.ts';
import { cutMiddle } from '../text/width.ts';

const NODE = { width: 210, height: 38, gapX: 56, gapY: 14 } as const;
const MARGIN = 8;
const MOST_STEPS = 300;

/** The steps that wait for others, drawn; in words what is not drawn. */
export function stepGraph(steps: readonly Step[]): Markup[] {
  const needed = new Set(steps.flatMap((step) => step.needs));
  const linked = steps.filter((step) => step.needs.length > 0 || needed.has(step.id));
  const free = steps.length - linked.length;
  if (steps.length === 0) return [];
  if (linked.length === 0) return [html`<p>${plural(free, 'step')}; none waits for another.</p>`];
  if (linked.length > MOST_STEPS) return [html`<p>${linked.length} steps wait for one another: too many to draw.</p>`];
  return [
    html`<div class="scroll" tabindex="0" role="region" aria-label="Order of the steps">${drawing(linked)}</div>`,
    free > 0
      ? html`<p class="faint">${plural(free, 'further step')} not drawn, as nothing waits for them.</p>`
      : html``,
  ];
}

function drawing(steps: readonly Step[]): Markup {
  const placed = layersOf(steps);
  const places = [...placed.values()];
  const width = MARGIN * 2 + (Math.max(...places.map(({ layer }) => layer)) + 1) * (NODE.width + NODE.gapX) - NODE.gapX;
  const height = MARGIN * 2 + (Math.max(...places.map(({ row }) => row)) + 1) * (NODE.height + NODE.gapY) - NODE.gapY;
  return html`<svg
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${plural(steps.length, 'step')} and what each waits for"
  >
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="arrow" d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
    ${steps.flatMap((step) => step.needs.map((id) => edge(placed.get(id), placed.get(step.id))))}${steps.map((step) => node(step, placed.get(step.id)))}
  </svg>`;
}

function cornerOf({ layer, row }: Placed): { readonly x: number; readonly y: number } {
  return { x: MARGIN + layer * (NODE.width + NODE.gapX), y: MARGIN + row * (NODE.height + NODE.gapY) };
}

function edge(from: Placed | undefined, to: Placed | undefined): Markup {
  if (from === undefined || to === undefined) return html``;
  const start = cornerOf(from);
  const end = cornerOf(to);
  const [x1, y1, x2, y2] = [start.x + NODE.width, start.y + NODE.height / 2, end.x, end.y + NODE.height / 2];
  const bend = (x1 + x2) / 2;
  return html`<path
    class="edge"
    marker-end="url(#arrow)"
    d="M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}"
  /> `;
}

function node(step: Step, place: Placed | undefined): Markup {
  if (place === undefined) return html``;
  const { x, y } = cornerOf(place);
  return html`<g
    ><title>${step.action} ${step.address}</title
    ><rect class="node ${step.action}" x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="5" /><text
      x="${x + 10}"
      y="${y + 16}"
      >${cutMiddle(shown(step.address), 26)}</text
    ><text class="small" x="${x + 10}" y="${y + 31}">${step.action}</text></g
  > `;
}

/** A layered layout: every node right of all that it needs, neighbours near each other. */
interface Placed {
  readonly layer: number;
  readonly row: number;
}

/** Layer and row of every node. What is in a ring (which no plan has) stands in a layer of its own. */
export function layersOf(nodes: readonly GraphNode[]): Map<string, Placed> {
  const { rounds, left } = roundsOf(nodes);
  return placedRows(left.length === 0 ? rounds : [...rounds, left]);
}

/** Within a layer, nodes go by the mean row of what they need, then by their own order. */
function placedRows(layers: readonly (readonly GraphNode[])[]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  layers.forEach((inner, at) => {
    const weighted = inner.map((node, order) => {
      const rows = node.needs.flatMap((id) => placed.get(id)?.row ?? []);
      return { node, order, weight: rows.length === 0 ? order : rows.reduce((sum, row) => sum + row, 0) / rows.length };
    });
    weighted
      .toSorted((a, b) => a.weight - b.weight || a.order - b.order)
      .forEach(({ node }, row) => placed.set(node.id, { layer: at, row }));
  });
  return placed;
}
