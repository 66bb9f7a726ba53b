// A report as plain data, with sections of changes and items, for the terminal, Markdown and HTML renderers.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change } from '../../model/outcome/plan.ts';
import type { StepResult } from '../../model/outcome/result.ts';
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
  /** The action with its worst effect on clients or data: `update, RESTARTS`. */
  readonly deed: string;
  readonly worst: string;
  /** The live id, or '' for none. For a removal, the name precedes the id unless the address contains the name. */
  readonly what: string;
}

export interface ChangeView {
  readonly group: readonly [Change, ...Change[]];
  readonly heads: readonly Head[];
  /** False for a creation, which has no old values. */
  readonly hasBefore: boolean;
  readonly rows: readonly AttributeRow[];
  readonly lines: readonly Line[];
}

export interface Item {
  readonly address: string | null;
  readonly text: string;
  readonly more: readonly string[];
  /** True for shell commands, which a renderer must not wrap. */
  readonly isShell: boolean;
}

export interface Section {
  readonly title: string;
  readonly tone: Tone;
  readonly items: readonly Item[];
  readonly changes: readonly ChangeView[];
  /** True for a section that brief reports omit. */
  readonly isDetail: boolean;
  /** True if a shortened comment still lists the changes: those that run or are blocked, and the differences of drift. */
  readonly isReviewed: boolean;
  /** The items in ever shorter forms, for a section that every comment keeps, however short. */
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
  /** The steps of an apply. */
  readonly steps?: readonly StepResult[];
}

export function line(text: string, parts: Partial<Line> = {}): Line {
  return { label: '', tone: 'plain', isDetail: false, ...parts, text };
}

export function reportOf(name: Report['name'], verdict: Line, parts: Partial<Report>): Report {
  const nothing = { context: [], sections: [], diagnostics: [], warning: [], figures: [], summary: [], next: [] };
  return { ...nothing, ...parts, name, verdict };
}

export function section(title: string, parts: Partial<Section>): Section {
  const nothing = { items: [], changes: [], isDetail: false, isReviewed: false, shorter: [] };
  return { ...nothing, tone: 'plain', ...parts, title };
}

export function item(text: string, address: string | null = null, more: readonly string[] = [], isShell = false): Item {
  return { address, text, more, isShell };
}
