// Colors and symbols. Only this module knows how to color a terminal.
import colors from 'picocolors';
import type { Action } from '../../model/outcome/plan.ts';

export type Paint = (text: string) => string;

/** The meaning of a text, from which renderers choose colors or CSS classes. `turn` is for restarts. */
export type Tone = 'plain' | 'faint' | 'good' | 'warn' | 'bad' | 'turn';

export type Style = Readonly<Record<Tone | 'strong', Paint>>;

/** Options for lines that people read; `width` is in terminal columns. */
export interface HumanOptions {
  readonly color: boolean;
  readonly width: number;
  readonly verbose: boolean;
}

export function styleOf(color: boolean): Style {
  const { green, yellow, red, magenta, bold, dim } = colors.createColors(color);
  return { plain: (text) => text, faint: dim, good: green, warn: yellow, bad: red, turn: magenta, strong: bold };
}

export const ACTIONS: Readonly<Record<Action, { readonly symbol: string; readonly tone: Tone }>> = {
  create: { symbol: '+', tone: 'good' },
  rotate: { symbol: '+', tone: 'good' },
  update: { symbol: '~', tone: 'warn' },
  move: { symbol: '~', tone: 'warn' },
  replace: { symbol: '-/+', tone: 'bad' },
  delete: { symbol: '-', tone: 'bad' },
  revoke: { symbol: '-', tone: 'bad' },
  restart: { symbol: '!', tone: 'turn' },
  none: { symbol: ' ', tone: 'faint' },
};
