// Permissions in the file: an e-mail address is all there is to write.
import { compareText } from '../../base/json.ts';
import { nameProblem } from '../../config/check/names.ts';
import type { KindSection } from '../../config/kind-section.ts';
import { error } from '../shared/problems.ts';
import { folded, PLACE } from './live-permission.ts';

export const section: KindSection = {
  ...PLACE,
  // Their addresses tell them apart.
  hasPins: false,
  isKeyedByName: true,
  attributes: [],
  meaning: ({ name }) => {
    const problem = nameProblem(name);
    return {
      spec: { email: folded(name) },
      options: {},
      problems: problem === null ? [] : [error([], 'bad_name', problem, { atKey: true })],
    };
  },
  normalise: (path) => ({ problem: `${path} is not an attribute that can differ` }),
  check: () => [],
  written: (wanted) =>
    [...wanted]
      .map(({ id, spec }) => ({
        id,
        name: String(spec['email']),
        isApiName: true,
        identity: {},
        attributes: {},
      }))
      .sort((a, b) => compareText(a.name, b.name)),
};
