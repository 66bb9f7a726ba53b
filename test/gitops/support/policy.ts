// The policy of examples/pipelines/plan-policy.yaml, evaluated by an engine for CEL as Kyverno evaluates it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '@marcbachmann/cel-js';
import { parse } from 'yaml';
import { root } from '../../architecture/source-tree.ts';

interface Policy {
  readonly spec: { readonly validations: readonly { readonly message: string; readonly expression: string }[] };
}

/** The messages of the rules that a plan breaks. */
export function brokenRules(plan: object): readonly string[] {
  const environment = new Environment({ enableOptionalTypes: true }).registerVariable('object', 'dyn');
  const { spec } = parse(readFileSync(join(root, 'examples/pipelines/plan-policy.yaml'), 'utf8')) as Policy;
  return spec.validations
    .filter(({ expression }) => environment.evaluate(expression, { object: plan }) !== true)
    .map(({ message }) => message);
}
