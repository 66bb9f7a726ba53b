// What the resources do by themselves and through their operations, gathered for the engine.
import type { Behaviour } from '../engine/engine.ts';
import { branchBehaviour } from './branch/after-operation.ts';
import { computeBehaviour } from './compute/after-operation.ts';
import { operationBehaviour } from './operation/life.ts';
import { projectBehaviour } from './project/background.ts';
import { shelfBehaviour } from './shelf/shelf.ts';

const all: readonly Behaviour[] = [
  operationBehaviour,
  computeBehaviour,
  branchBehaviour,
  projectBehaviour,
  shelfBehaviour,
];

export const behaviour: Behaviour = {
  happenings: Object.assign({}, ...all.map(({ happenings }) => happenings)) as Behaviour['happenings'],
  effects: Object.assign({}, ...all.map(({ effects }) => effects)) as Behaviour['effects'],
  undone: all.flatMap(({ undone }) => undone),
  ended: all.flatMap(({ ended }) => ended),
};
