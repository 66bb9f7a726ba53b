// The kinds of API keys, of the account and of organizations: how the file declares them, how they are planned, made and revoked.
import type { Kind } from '../kind.ts';
import { keyRemote, remote } from './remote.ts';
import { keyRules, rules } from './rules/rules.ts';
import { organizationSection, section } from './section/section.ts';
import { ORGANIZATION } from './variant.ts';

export const apiKey: Kind = { section, rules, remote };

const organizationRules = keyRules(ORGANIZATION);
export const orgApiKey: Kind = {
  section: organizationSection,
  rules: organizationRules,
  remote: keyRemote(ORGANIZATION, organizationRules),
};
