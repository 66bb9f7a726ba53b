// What is said beside a frame that is redrawn: it stays on the screen, and nothing of the frame is left above it.
import { expect, it } from 'vitest';
import { turnOver } from '../../../src/base/time/clock.ts';
import { applyReporter } from '../../../src/cli/output/apply-reporter.ts';
import { exitCodes } from '../../../src/cli/process/exit-code.ts';
import { settle } from '../../../src/cli/program/settings.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import { fakeIo } from '../../support/fake-io.ts';

const STEP = { step: 's1', address: 'shop/primary', action: 'create' };
const START = { ...STEP, type: 'apply_start', resourceId: null } as unknown as ApplyEvent;
const COMPLETE = { ...STEP, type: 'apply_complete', resourceId: 'ep-1', elapsedMs: 5 } as unknown as ApplyEvent;

/** The lines that a terminal shows in the end. */
function screenOf(bytes: string): readonly string[] {
  const rows = [''];
  let [row, column] = [0, 0];
  for (const [piece, up] of bytes.matchAll(/\u001b\[(\d+)[A-Za-z]|[^\u001b]/gu)) {
    if (piece.endsWith('A') && up !== undefined) row -= Number(up);
    else if (up !== undefined) rows.splice(row, rows.length, (rows[row] ?? '').slice(0, column));
    else if (piece === '\r') column = 0;
    else if (piece === '\n') [row, column] = [row + 1, 0];
    else {
      const line = (rows[row] ?? '').padEnd(column);
      rows[row] = line.slice(0, column) + piece + line.slice(column + 1);
      column++;
    }
    rows[row] ??= '';
  }
  return rows.filter((line) => line !== '');
}

it('keeps what was said after Ctrl-C, whose echo stands below the frame', async () => {
  const io = fakeIo({ cwd: '/', terminal: true });
  const settings = settle({ color: false }, io);
  const reporter = applyReporter({ io, settings });
  reporter.onEvent({ ...START, atMs: io.clock.nowMs() });
  await turnOver();
  expect(screenOf(io.err()).length).toBeGreaterThan(1);
  await io.stderr.write('^C');
  reporter.say('\nInterrupted: waiting for what runs.\n');
  reporter.onEvent({ ...COMPLETE, atMs: io.clock.nowMs() });
  await reporter.close(exitCodes.interrupted);
  expect(screenOf(io.err())).toEqual([
    'shop/primary: creating...',
    'Interrupted: waiting for what runs.',
    expect.stringMatching(/^shop\/primary: created/),
  ]);
});
