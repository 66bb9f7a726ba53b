// Checks the bodies of requests, which the local server gets.
import * as validators from './generated/bodies.js';
import { shapeResult, type ShapeResult } from './shape.ts';

export type BodyName = keyof typeof validators;

export function checkBody<T>(name: BodyName, body: unknown): ShapeResult<T> {
  return shapeResult(validators[name], body);
}
