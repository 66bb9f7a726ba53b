// A person at a real terminal: what is typed at the prompt, and what each Ctrl-C says, from the key to the exit code.
import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp, type Ended } from './support/program.ts';
import { startServer } from './support/server.ts';
import { always } from '../support/faults.ts';

/** A terminal of its own, with our standard input for its keyboard; that of util-linux has these flags. */
const TERMINAL = ['sh', '-c', 'exec script -qefc "$*" /dev/null', 'sh'];
const hasTerminal = spawnSync('sh', ['-c', 'script --version'], { encoding: 'utf8' }).stdout.includes('util-linux');
if (!hasTerminal)
  process.stderr.write('The tests at a terminal are skipped: there is no script (of util-linux) that makes one.\n');

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const PROMPT = "Only 'yes' will be accepted: ";
const WISH = { stage: 'branch: staging', dev: 'branch: dev' };

afterAll(cleanUp);
const server = await startServer({
  world: worldOf('before', 'typed', 'closed', 'nothing', 'spaced', 'other', 'unseen', 'once', 'twice'),
});
for (const projectId of ['once-000001', 'twice-000001'])
  await server.addFaults(always({ projectId }, { on: 'operation', kind: 'slow', durationMs: 1500 }));

/** Types each text as soon as what stands before it has been shown. */
async function typed(desk: Desk, ...keys: readonly (readonly [after: string, text: string])[]): Promise<Ended> {
  desk.wish(WISH);
  const apply = desk.start(['apply', '--poll-interval', '100ms'], { via: TERMINAL, stdin: null });
  for (const [after, text] of keys) {
    await apply.shows(after);
    apply.child.stdin?.write(text);
  }
  const ended = await apply.ended;
  const plain = ended.out.replaceAll('\r', '').replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '');
  return { ...ended, out: plain.slice(plain.indexOf(PROMPT) + PROMPT.length) };
}

describe.skipIf(!hasTerminal).concurrent('at the prompt', () => {
  it.each([
    ['Ctrl-C', 'before', CTRL_C, 130, '\n\nInterrupted: nothing was changed.\n'],
    ['Ctrl-C after some letters', 'typed', `ye${CTRL_C}`, 130, 'ye\n\nInterrupted: nothing was changed.\n'],
    ['Ctrl-D', 'closed', CTRL_D, 1, '\nNothing was changed.\n'],
    ['nothing', 'nothing', '\r', 1, '\nNothing was changed.\n'],
    ['yes with spaces around it', 'spaced', ' yes \r', 1, ' yes \nNothing was changed.\n'],
    ['another word', 'other', 'y\r', 1, 'y\nNothing was changed.\n'],
  ])('%s changes nothing and says so', async (_, name, text, code, says) => {
    const desk = openDesk(server, name);
    const ended = await typed(desk, [PROMPT, text]);
    expect(ended).toMatchObject({ code, out: expect.stringMatching(new RegExp(`^${says}\\s*$`)) as string });
    expect(await desk.ledger()).toEqual([]);
  });
});

it.skipIf(!hasTerminal)('nobody is asked by a question that goes into a file', async () => {
  const desk = openDesk(server, 'unseen');
  desk.wish(WISH);
  const via = ['sh', '-c', 'exec script -qefc "$* 2>err.log" /dev/null', 'sh'];
  expect(await desk.start(['apply'], { via, stdin: null }).ended).toMatchObject({ code: 1 });
  expect(desk.read('err.log')).toContain('cannot ask for approval: stderr is not a terminal');
});

describe.skipIf(!hasTerminal).concurrent('while steps run', () => {
  it('Ctrl-C waits for those under way, and says so; the end names what was not begun', async () => {
    const desk = openDesk(server, 'once');
    const { code, out } = await typed(desk, [PROMPT, 'yes\r'], ['creating...', CTRL_C]);
    expect(code).toBe(130);
    expect(out).toMatch(
      /\nInterrupted: no new step starts; waiting for (?:one running step|2 running steps) \(a second signal stops at once\)\.\n/,
    );
    const made = (await desk.ledger()).length;
    expect(out).toContain(`Apply interrupted: ${made} step${made === 1 ? '' : 's'} done`);
    expect(out).toContain(`Resources so far: ${made} added`);
    expect(out).not.toContain('Stopped at once');
  });

  it('a second Ctrl-C stops at once, and names what has an unknown end', async () => {
    const desk = openDesk(server, 'twice');
    const { code, out } = await typed(
      desk,
      [PROMPT, 'yes\r'],
      ['creating...', CTRL_C],
      ['a second signal stops at once', CTRL_C],
    );
    expect(code).toBe(130);
    expect(out).toMatch(/\nStopped at once; the outcome of twice\/\w+/);
    expect(out).toContain('Run trueup apply again: the next run waits for operations that still run.\n');
    const next = await desk.run(['apply', '--auto-approve', '--poll-interval', '100ms']);
    expect(next.code, next.out + next.err).toBe(0);
    expect(deeds(await desk.ledger())).toEqual(['POST compute', 'POST compute']);
  });
});
