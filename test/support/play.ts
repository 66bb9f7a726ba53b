// A command played in memory, in a folder that is there: for words that are judged before anything is sent.
import { fakeIo, type FakeIoOptions } from './fake-io.ts';
import { main } from './loaded-program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function play(argv: readonly string[], options: FakeIoOptions): Promise<Ran> {
  const io = fakeIo(options);
  const code = await io.clock.run(main(argv, io));
  return { code, out: io.out(), err: io.err() };
}
