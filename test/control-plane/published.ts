// The OpenAPI document that the local server publishes, and what differs from its schemas.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiText } from '../../src/api/generated/document.ts';

const ID = 'https://trueup.dev/openapi.json';

export const publishedDocument = JSON.parse(openApiText) as { readonly openapi: string; readonly paths: object };

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ ...publishedDocument, $id: ID });

/** Undefined for a body of the shape `name`. */
export function problemsOf(name: string, body: unknown): unknown {
  const validate = ajv.getSchema(`${ID}#/components/schemas/${name}`);
  return validate?.(body) === true ? undefined : (validate?.errors ?? 'no such schema');
}
