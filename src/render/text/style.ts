// Colours and symbols: the only place that knows how a terminal is coloured.
import colors from 'picocolors';
import { unreachable } from '../../base/assert.ts';
import type { Action } from '../../model/outcome/plan.ts';

export type Paint = (text: string) => string;

/** How a text is meant: paints, classes and the like follow from it. */
export type Tone = 'plain' | 'faint' | 'good' | 'warn' | 'bad';

/** Paints by meaning; every paint is the identity when colour is off. */
export interface Style {
  readonly add: Paint;
  readonly change: Paint;
  readonly destroy: Paint;
  readonly restart: Paint;
  readonly warning: Paint;
  readonly error: Paint;
  readonly good: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
  readonly mark: Paint;
}

/** How lines for people are laid out. `width` is in terminal columns. */
export interface HumanOptions {
  readonly color: boolean;
  readonly width: number;
  readonly verbose: boolean;
}

export function styleOf(color: boolean): Style {
  return color ? COLOURED : PLAIN;
}

function makeStyle(color: boolean): Style {
  const { green, yellow, red, magenta, bold, dim, cyan } = colors.createColors(color);
  return {
    add: green,
    change: yellow,
    destroy: red,
    restart: magenta,
    warning: yellow,
    error: red,
    good: green,
    strong: bold,
    faint: dim,
    mark: cyan,
  };
}

const COLOURED: Style = makeStyle(true);
const PLAIN: Style = makeStyle(false);

export function tonePaint(tone: Tone, style: Style): Paint {
  switch (tone) {
    case 'plain':
      return (text) => text;
    case 'faint':
      return style.faint;
    case 'good':
      return style.good;
    case 'warn':
      return style.warning;
    case 'bad':
      return style.destroy;
    default:
      return unreachable(tone);
  }
}

export const ACTION_SYMBOLS: Readonly<Record<Action, string>> = {
  create: '+',
  rotate: '+',
  update: '~',
  move: '~',
  replace: '-/+',
  delete: '-',
  revoke: '-',
  restart: '!',
  none: ' ',
};

export function actionPaint(action: Action, style: Style): Paint {
  switch (action) {
    case 'create':
    case 'rotate':
      return style.add;
    case 'update':
    case 'move':
      return style.change;
    case 'replace':
    case 'delete':
    case 'revoke':
      return style.destroy;
    case 'restart':
      return style.restart;
    case 'none':
      return style.faint;
    default:
      return unreachable(action);
  }
}
