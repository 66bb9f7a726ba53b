// A report as plain data: sections with changes and items. The renderers for terminals, Markdown and HTML print it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change } from '../../model/outcome/plan.ts';
import type { Tone } from '../text/style.ts';
import type { AttributeRow } from './differences.ts';

export interface Line {
  readonly label: string;
  readonly text: string;
  readonly tone: Tone;
  /** True for a line that brief reports omit. */
  readonly isDetail: boolean;
}

export interface Head {
  readonly symbol: string;
  readonly address: string;
  readonly action: string;
  /** The worst effect on clients or data, such as `RESTARTS`; '' for none. */
  readonly worst: string;
  /** The id, preceded by the name if the address does not contain the name. */
  readonly what: string;
}

export interface ChangeView {
  readonly group: readonly [Change, ...Change[]];
  readonly heads: readonly Head[];
  /** False for a creation, whose values are listed without a before. */
  readonly hasBefore: boolean;
  readonly rows: readonly AttributeRow[];
  readonly lines: readonly Line[];
}

export interface Item {
  readonly address: string | null;
  readonly text: string;
  readonly more: readonly string[];
  /** True for lines of shell commands, which must never be broken. */
  readonly isShell: boolean;
}

export interface Section {
  readonly title: string;
  readonly tone: Tone;
  readonly items: readonly Item[];
  readonly changes: readonly ChangeView[];
  /** True for a section that brief reports omit. */
  readonly isDetail: boolean;
  /** True for changes that the hash of a plan covers: steps that run and steps that a guard blocks. */
  readonly isReviewed: boolean;
  /** Ever shorter forms of the items, for a section that even the shortest report keeps. */
  readonly shorter: readonly (readonly Item[])[];
}

export type ContextRow = readonly [label: string, text: string];

export interface Report {
  readonly name: 'plan' | 'drift' | 'apply';
  readonly context: readonly ContextRow[];
  readonly sections: readonly Section[];
  readonly diagnostics: readonly Diagnostic[];
  readonly warning: readonly Item[];
  readonly figures: readonly (readonly [label: string, value: number | string])[];
  readonly summary: readonly Line[];
  readonly verdict: Line;
  readonly next: readonly Line[];
}

export function line(
  text: string,
  { label = '', tone = 'plain', isDetail = false }: Partial<Omit<Line, 'text'>> = {},
): Line {
  return { label, text, tone, isDetail };
}

export function reportOf(
  name: Report['name'],
  verdict: Line,
  parts: Partial<Omit<Report, 'name' | 'verdict'>>,
): Report {
  const nothing = { context: [], sections: [], diagnostics: [], warning: [], figures: [], summary: [], next: [] };
  return { ...nothing, ...parts, name, verdict };
}

export function section(
  title: string,
  {
    tone = 'plain',
    items = [],
    changes = [],
    isDetail = false,
    isReviewed = false,
    shorter = [],
  }: Partial<Omit<Section, 'title'>>,
): Section {
  return { title, tone, items, changes, isDetail, isReviewed, shorter };
}

export function item(
  text: string,
  address: string | null = null,
  more: readonly string[] = [],
  isShell: boolean = false,
): Item {
  return { address, text, more, isShell };
}

/** The two sides of a difference in every drift report, in this order: `live 16, file 8`. */
export const SIDES = ['live', 'file'] as const;
