// The environment of every measured process: nobody's settings, no telemetry, a home of its own.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export function environment(folder, extra) {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    ALCHEMY_TELEMETRY_DISABLED: '1',
    CHECKPOINT_DISABLE: '1',
    ...extra,
  };
}
