// Events as lines of JSON: the stream that machines follow.
import type { JsonObject } from '../../base/json.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import { eventToJson, lineHead, type ResourceIndex } from './event-json.ts';
import { jsonText } from './json-text.ts';

/** Version of these lines, as Terraform counts its own. */
const UI_VERSION = '1.2';

/** First line of a stream. */
export function versionLine(version: string, atMs: number): string {
  const head = lineHead('info', `trueup ${version}`, { type: 'version', atMs });
  return lineOf({ ...head, trueup: version, ui: UI_VERSION });
}

/** One line, line feed included. */
export function eventLine(event: ApplyEvent, resources: ResourceIndex): string {
  return lineOf(eventToJson(event, resources));
}

/** Any line of the stream. */
export function lineOf(value: JsonObject): string {
  return `${jsonText(value)}\n`;
}
