// The path of one project; `{LABEL}` stands for one that is still to be made.
import { assert } from '../base/assert.ts';

const PROJECT_ID = /^(?:[a-z0-9][a-z0-9-]{0,59}|\{[^{}]+\})$/;

export function projectPath(id: string | null): string {
  assert(id !== null && PROJECT_ID.test(id), 'a project id that is none reached a request');
  return `/projects/${id}`;
}
