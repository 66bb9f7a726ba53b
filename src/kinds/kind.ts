// A kind of resource: one object that answers the questions of all floors.
import type { KindRemote } from '../apply/kind-remote.ts';
import type { KindSection } from '../config/kind-section.ts';
import type { KindRules } from '../plan/kind-rules.ts';

export interface Kind {
  readonly section: KindSection;
  readonly rules: KindRules;
  readonly remote: KindRemote;
}
