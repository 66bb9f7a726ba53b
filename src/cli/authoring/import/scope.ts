// A draft of what is to be imported: scopes with their entries, as they shall stand in a file.
import type { JsonObject } from '../../../base/json.ts';
import type { KindSection } from '../../../config/kind-section.ts';
import type { Address } from '../../../model/address.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveProject } from '../../../model/live.ts';

export type AttributeDetail = 'minimal' | 'full';

export interface DraftEntry {
  readonly section: KindSection;
  /** Keys that lead to its section: from the project's entry on, or from the top level. */
  readonly within: readonly string[];
  readonly label: string;
  readonly address: Address;
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
}

/** What goes under one project, or under the section of an account-wide kind (`project` is null). */
export interface DraftScope {
  readonly label: string;
  readonly project: LiveProject | null;
  /** Lines before the entries: id and name, as far as no file has them. */
  readonly head: JsonObject;
  /** Each after what it is below. */
  readonly entries: readonly DraftEntry[];
}

export interface Draft {
  readonly scopes: readonly DraftScope[];
  /** What was left out, and why. */
  readonly warnings: readonly Diagnostic[];
}
