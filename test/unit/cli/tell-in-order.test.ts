// What a run tells, on its way to the terminal: in order, in few writes, and all of it.
import { describe, expect, it } from 'vitest';
import type { Output } from '../../../src/cli/process/io.ts';
import { tellInOrder } from '../../../src/cli/output/event-stream.ts';

function outputs(): { readonly writes: string[]; readonly stdout: Output; readonly stderr: Output } {
  const writes: string[] = [];
  const output = (name: string): Output => ({
    async write(text) {
      await Promise.resolve();
      writes.push(`${name} ${text}`);
    },
    writeLast: (text) => void writes.push(`${name} last ${text}`),
    isTerminal: false,
    columns: 80,
    closed: () => false,
    failure: () => null,
    used: () => true,
  });
  return { writes, stdout: output('out'), stderr: output('err') };
}

describe('tellInOrder', () => {
  it('writes the pieces of one moment for one place together, and keeps the order of places', async () => {
    const { writes, stdout, stderr } = outputs();
    const told = tellInOrder();
    told.write(stderr, 'a');
    told.write(stderr, 'b');
    told.write(stdout, 'c');
    told.write(stderr, 'd');
    await told.delivered();
    expect(writes).toEqual(['err ab', 'out c', 'err d']);
  });

  it('delivers what came while it was writing, before it says that all is delivered', async () => {
    const { writes, stdout, stderr } = outputs();
    const slow: Output = {
      ...stdout,
      async write(text) {
        told.write(stderr, 'late');
        await stdout.write(text);
      },
    };
    const told = tellInOrder();
    told.write(slow, 'a');
    await told.delivered();
    expect(writes).toEqual(['out a', 'err late']);
  });

  it('tells the others, and goes on, when one place fails', async () => {
    const { writes, stdout, stderr } = outputs();
    const broken: Output = { ...stdout, write: async () => Promise.reject(new Error('it is gone')) };
    const told = tellInOrder();
    told.write(broken, 'a');
    told.write(stderr, 'b');
    await told.delivered();
    told.write(stderr, 'c');
    await told.delivered();
    expect(writes).toEqual(['err b', 'err c']);
  });

  it('gives back what one place has not been told yet, and tells it no more', async () => {
    const { writes, stdout, stderr } = outputs();
    const told = tellInOrder();
    told.write(stdout, 'a');
    told.write(stderr, 'b');
    told.write(stdout, 'c');
    expect(told.takeBack(stdout)).toBe('ac');
    await told.delivered();
    expect(writes).toEqual(['err b']);
  });
});
