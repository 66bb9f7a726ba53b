// The base URL that a run speaks to, checked.
import { parseBaseUrl } from '../../client/http/base-url.ts';
import { VENDOR_BASE_URL } from './credential.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../program/usage-error.ts';

/** What the embedded control plane is called in plans: its data lives in a folder, not at a host. */
const LOCAL_BASE_URL = 'http://localhost/api/v2';

/** The checked URL of the settings. Throws UsageError; credentials in a URL are never quoted. */
export function baseUrlOf(settings: Settings): string {
  if (settings.local !== null) return LOCAL_BASE_URL;
  const parsed = parseBaseUrl(settings.baseUrl ?? VENDOR_BASE_URL);
  if ('problem' in parsed) throw new UsageError(`the base URL cannot be used: ${parsed.problem}`);
  return parsed.url;
}
