// What to do about a refusal that ends a command: a right that is missing, an organization that is not the credential's.
import { expect, it } from 'vitest';
import { problemOf } from '../../../src/cli/output/failure.ts';
import { ApiFailure } from '../../../src/client/failure.ts';

const failure = (status: number, path = '/projects'): ApiFailure =>
  new ApiFailure(`GET ${path} was answered ${status}`, { failureClass: 'refused', method: 'GET', path, status });

it.each([400, 403, 404])('a list of projects that is answered %i may lack the organization', (status) => {
  const { code, hint } = problemOf(failure(status));
  expect([code, hint?.includes('--org-id')]).toEqual(['refused', true]);
});

it.each([failure(500), failure(404, '/projects/shop-000001'), failure(403, '/api_keys')])(
  'others do not: %s',
  (error) => {
    expect(problemOf(error)).not.toHaveProperty('hint');
  },
);
