// Files that cannot be written, disks that are full, too few descriptors: refused before anything is sent, or survived with the truth told.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { getuid } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, RESIZE, worldOf, type Desk } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { APPLY, fileKey } from './support/recovery.ts';
import { sampleOf } from '../support/full-size.ts';
import { startServer } from './support/server.ts';

const DESCRIPTORS = sampleOf([16, 24, 28, 30, 32, 36, 64], 4);
const isRoot = getuid?.() === 0;

afterAll(cleanUp);
const names = ['refused', 'occupied', 'readonly', 'log', 'vanished', 'umask000', 'umask277'];
const server = await startServer({ world: worldOf(...names, ...DESCRIPTORS.map((count) => `fd${count}`)) });

async function keysNamed(name: string): Promise<readonly string[]> {
  const keys = await server.request<readonly { readonly name: string }[]>('GET', '/api_keys');
  return keys.map((key) => key.name).filter((found) => found === name);
}

describe.concurrent('an output that cannot be written', () => {
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['plan', '-o', 'trueup.yaml'], /names an input file/],
    [['plan', '-o', 'missing/plan.json'], /the folder does not exist/],
    [['drift', '--write', 'json=trueup.yaml'], /names an input file/],
    [['plan', '-o', '/dev/full'], /not a regular file/],
    [['plan', '-o', '/dev/stdout'], /not a regular file/],
    [['plan', '--write', 'json=trueup.yaml'], /names an input file/],
    [['plan', '--write', 'pdf=out.pdf'], /cannot write the format "pdf"/],
    [['list', '--tree', '--format', 'json'], /--tree works only with --format human/],
    [['list', '--tree', '--write', 'env=tree.env'], /--tree works only with --format human/],
    [[...APPLY, '--write', 'json=/dev/full'], /not a regular file/],
    [[...APPLY, '--write', 'json=trueup.yaml'], /names an input file/],
    [[...APPLY, '--write', 'json=missing/result.json'], /the folder does not exist/],
    [[...APPLY, '--log-file', 'missing/log'], /the folder does not exist/],
    [[...APPLY, '--log-file', 'trueup.yaml'], /names an input file/],
    [[...APPLY, '--log-file', '.'], /not a regular file/],
    [['pin', '--overlay', 'over.yaml', '--log-file', 'over.yaml'], /names an input file/],
    [
      ['hold', 'shop/primary', '--path', 'type', '--until', '2027-01-01', '--reason', 'r', '--log-file', 'trueup.yaml'],
      /names an input file/,
    ],
    [['explain', 'shop/primary', '--log-file', 'trueup.yaml'], /names an input file/],
  ];
  it('is refused before anything is sent', async () => {
    const desk = openDesk(server, 'refused');
    desk.wish(RESIZE);
    const before = desk.read('trueup.yaml');
    const ends = await Promise.all(cases.map(([args]) => desk.run(args)));
    ends.forEach(({ code, err }, at) => {
      expect(err, cases[at]?.[0].join(' ')).toMatch(cases[at]?.[1] ?? /never/);
      expect(code).toBe(1);
    });
    expect(await desk.ledger()).toEqual([]);
    expect(desk.read('trueup.yaml')).toBe(before);
  });

  it.skipIf(process.platform !== 'linux')('because the disk is full does not stop an apply: the log', async () => {
    const desk = openDesk(server, 'log');
    desk.wish({ ...RESIZE, stage: 'branch: staging' });
    const { code, err } = await desk.run([...APPLY, '--log-file', '/dev/full']);
    expect(err).toMatch(/\/dev\/full.*ENOSPC/);
    expect(err.match(/ENOSPC/g)).toHaveLength(1);
    expect(code).toBe(0);
    expect(deeds(await desk.ledger()).toSorted()).toEqual(['PATCH compute', 'POST compute']);
  });
});

describe.concurrent('the tool’s own folder', () => {
  it('that cannot be made is done without, and that is said', async () => {
    const desk = openDesk(server, 'occupied');
    desk.wish(RESIZE);
    desk.write('.local', 'a file where the folder should be');
    const { code, err } = await desk.run(APPLY);
    expect(err).toMatch(/the run continues without journal and lock: \S+ cannot be written \(ENOTDIR\)/);
    expect(code).toBe(0);
    expect(desk.read('.local')).toBe('a file where the folder should be');
  });

  it.each(['000', '277'])('under the umask %s: everything of it is its owner’s alone', async (mask) => {
    const desk = openDesk(server, `umask${mask}`);
    desk.wish(RESIZE, fileKey(`umask-${mask}`));
    const { code, err } = await desk.run(APPLY, { via: ['sh', '-c', `umask ${mask}; exec "$0" "$@"`] });
    expect(code, err).toBe(0);
    const modeOf = (path: string): string => (statSync(desk.state(path)).mode & 0o777).toString(8);
    expect(modeOf('.')).toBe('700');
    expect(modeOf('secrets')).toBe('700');
    for (const file of ['journal', `secrets/umask-${mask}.json`]) expect(modeOf(file), file).toBe('600');
  });

  it('in a folder that is read-only: no key is made that could not be kept', async () => {
    const desk = openDesk(server, 'readonly');
    desk.wish(RESIZE, fileKey('readonly-key'));
    chmodSync(desk.folder, 0o555);
    const { code, err } = await desk.run(APPLY, isRoot ? { uid: 65_534 } : {});
    chmodSync(desk.folder, 0o755);
    expect(err).toMatch(/EACCES/);
    expect(code).toBe(3);
    expect(await keysNamed('readonly-key')).toEqual([]);
    expect(deeds(await desk.ledger())).toEqual(['PATCH compute']);
  });

  it('whose working folder was deleted meanwhile: an error, no stack', async () => {
    const desk = openDesk(server, 'vanished');
    mkdirSync(desk.path('gone'));
    const { code, err } = await desk.run(['validate'], {
      cwd: desk.path('gone'),
      via: ['sh', '-c', 'rmdir "$PWD"; exec "$0" "$@"'],
    });
    expect(err).toMatch(/^error: the working folder does not exist any more\n/);
    expect(code).toBe(1);
  });
});

describe.concurrent('a result', () => {
  it.skipIf(!canMount())('that a full disk cannot take leaves the run finished, and the exit code tells', async () => {
    const desk = openDesk(server, 'vanished');
    desk.wish(RESIZE);
    const disk = fullDisk(desk);
    try {
      const { code, err, out } = await desk.run([...APPLY, '--write', `json=${disk}/result.json`]);
      expect(out).toContain('Apply complete! Resources: 0 added, 1 changed, 0 destroyed.');
      expect(err).toMatch(/^error: cannot write .*result\.json: no space is left \(ENOSPC\)$/m);
      expect(code).toBe(3);
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});

describe.concurrent('descriptors', () => {
  it.each(DESCRIPTORS)('%d of them: all done, or nothing begun', async (count) => {
    const desk: Desk = openDesk(server, `fd${count}`);
    desk.wish({ ...RESIZE, stage: 'branch: staging', dev: 'branch: dev' }, fileKey(`fd-key-${count}`));
    const { code, err } = await desk.run(APPLY, { via: ['sh', '-c', `ulimit -n ${count}; exec "$0" "$@"`] });
    if (code !== 0) {
      expect(deeds(await desk.ledger()), err).toEqual([]);
      expect(await keysNamed(`fd-key-${count}`)).toEqual([]);
    }
    const next = await desk.run(APPLY);
    expect(next.code, next.err).toBe(0);
    expect(deeds(await desk.ledger()).toSorted()).toEqual(['PATCH compute', 'POST compute', 'POST compute']);
    expect(await keysNamed(`fd-key-${count}`)).toHaveLength(1);
  });
});

/** A disk of the desk's own without any room; what takes it is the file `filler`. */
function fullDisk(desk: Desk): string {
  const disk = desk.path('disk');
  mkdirSync(disk);
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=0700', 'tmpfs', disk]);
  spawnSync('sh', ['-c', 'cat /dev/zero > "$0/filler" 2>/dev/null', disk]);
  return disk;
}

/** A superuser on Linux can make a small disk. */
function canMount(): boolean {
  if (process.platform !== 'linux' || !isRoot) return false;
  const probe = spawnSync('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs -o size=16k tmpfs "$d" && umount "$d"; rmdir "$d"',
  ]);
  return probe.status === 0;
}
