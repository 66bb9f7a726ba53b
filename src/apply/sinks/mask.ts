// Tells a build service which texts to hide in its log, before anything else is printed.
import type { Secret } from '../../base/secret.ts';
import { encodingsOf } from './encodings.ts';

/**
 * The lines that make GitHub Actions hide `secret` and its encodings from then on; none elsewhere.
 * They hold the secret itself: print them to the build log and nowhere else, before the secret is used for anything.
 */
export function maskLines(secret: Secret, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (env['GITHUB_ACTIONS'] !== 'true') return [];
  return encodingsOf(secret.reveal()).map((form) => `::add-mask::${escapeData(form)}`);
}

/** A workflow command ends at the line end; its data is escaped so. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
