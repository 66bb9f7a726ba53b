// The draft of an import: scopes with their entries, as a file holds them.
import type { JsonObject } from '../../../base/json.ts';
import type { Kind } from '../../../kinds/index.ts';
import type { Address } from '../../../model/address.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveProject } from '../../../model/live.ts';

export type AttributeDetail = 'minimal' | 'full';

export interface DraftEntry {
  readonly kind: Kind;
  /** Keys that lead to its section: from the project's entry on, or from the top level. */
  readonly within: readonly string[];
  readonly label: string;
  readonly address: Address;
  readonly identity: JsonObject;
  readonly attributes: JsonObject;
}

/** The content of one project, or of the section of an account-wide kind (`project` is null). */
export interface DraftScope {
  readonly label: string;
  readonly project: LiveProject | null;
  /** Lines before the entries: id and name, unless a file has them. */
  readonly head: JsonObject;
  /** Entries, each after its parent. */
  readonly entries: readonly DraftEntry[];
}

export interface Draft {
  readonly scopes: readonly DraftScope[];
  /** Warnings about resources that were left out, with the reasons. */
  readonly warnings: readonly Diagnostic[];
}
