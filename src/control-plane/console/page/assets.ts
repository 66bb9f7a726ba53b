// The files that pages load: each has a path that changes with its content.
import { createHash } from 'node:crypto';
import { asset } from './respond.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2450c8"/>
<path d="M8 17l5.5 5.5L24 11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

export const STYLE_PATH: string = pathOf('style', STYLE, 'css');
export const SCRIPT_PATH: string = pathOf('script', SCRIPT, 'js');
export const ICON_PATH: string = pathOf('icon', ICON, 'svg');

/** The file at a path, or undefined. */
export function assetAt(path: string): Response | undefined {
  if (path === STYLE_PATH) return asset(STYLE, 'text/css; charset=utf-8');
  if (path === SCRIPT_PATH) return asset(SCRIPT, 'text/javascript; charset=utf-8');
  if (path === ICON_PATH) return asset(ICON, 'image/svg+xml');
  return undefined;
}

function pathOf(name: string, text: string, extension: string): string {
  return `/console/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${extension}`;
}
