// The policy of examples/pipelines/plan-policy.yaml, evaluated by an engine for CEL as Kyverno evaluates it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { root } from '../../architecture/source-tree.ts';

const engine = join(root, 'test/gitops/node_modules/@marcbachmann/cel-js/lib/index.js');

/** The engine is a package of this folder, which `npm run rehearsal` installs. */
export const hasPolicyEngine: boolean = existsSync(engine);

interface Cel {
  readonly Environment: new (options: object) => {
    registerVariable(name: string, type: string): void;
    evaluate(expression: string, context: object): unknown;
  };
}

interface Policy {
  readonly spec: { readonly validations: readonly { readonly message: string; readonly expression: string }[] };
}

/** The messages of the rules that a plan breaks. */
export async function brokenRules(plan: object): Promise<readonly string[]> {
  const { Environment } = (await import(pathToFileURL(engine).href)) as Cel;
  const environment = new Environment({ enableOptionalTypes: true });
  environment.registerVariable('object', 'dyn');
  const { spec } = parse(readFileSync(join(root, 'examples/pipelines/plan-policy.yaml'), 'utf8')) as Policy;
  return spec.validations
    .filter(({ expression }) => environment.evaluate(expression, { object: plan }) !== true)
    .map(({ message }) => message);
}
