// Before a file of tests is loaded: the mutant of the run before is no part of it.
import { inject } from 'vitest';

const state = globalThis[inject('globalNamespace')];
if (inject('mode') === 'mutant' && inject('mutantActivation') !== 'static') state.activeMutant = undefined;
