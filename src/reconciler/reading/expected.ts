// Before anything is sent: the files may say which service they are meant for.
import type { DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Line } from '../connect.ts';

/** The refusal to speak to another service than the files expect; empty when it is the right one. */
export function unexpected(line: Line, { expect }: DesiredState): readonly Diagnostic[] {
  const expected = expect?.baseUrl ?? null;
  if (expect === null || expected === null || sameUrl(expected, line.client.baseUrl)) return [];
  return [
    {
      severity: 'error',
      code: 'expectation_failed',
      message: `the file expects the service at ${expected}, and this run speaks to ${line.client.baseUrl}`,
      hint: 'Check --base-url and TRUEUP_BASE_URL.',
      range: expect.source,
    },
  ];
}

function sameUrl(a: string, b: string): boolean {
  return a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
}
