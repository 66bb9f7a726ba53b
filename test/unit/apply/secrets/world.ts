// What the tests of secret sinks share: a working folder that goes away, a record, and a file system that fails on request.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { nodeFileSystem, type FileSystem, type OpenFile } from '../../../../src/apply/file-system.ts';
import { fileSink, type FileSinkOptions } from '../../../../src/apply/sinks/file-sink.ts';
import type { RunProgram } from '../../../../src/apply/sinks/run-program.ts';
import type { SecretSink } from '../../../../src/apply/sinks/sink.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { RECORD } from '../../../../src/kinds/api-key/key.ts';

export const OLD: Secret = new Secret('napi_old0old1old2old3old4old5old6old7');
export const NEW: Secret = new Secret('napi_c4nary9f2k7w1x8q3z5v6b0m4n2j8h1g');

export function recordOf(id: string): JsonObject {
  return { name: 'ci-deploy', id, created_at: '2026-01-01T00:00:00Z' };
}

/** A fresh folder outside of any git work tree, gone when the test that asked for it has ended. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A named pipe: Node has no call for it. */
export function makeFifo(path: string): void {
  execFileSync('/usr/bin/env', ['mkfifo', path]);
}

/** Fails the test when a program is run that the test does not expect. */
export const noProgram: RunProgram = async ({ program }) => Promise.reject(new Error(`unexpected run of ${program}`));

export function sinkIn(workDir: string, more: Partial<FileSinkOptions> = {}): SecretSink {
  return fileSink({
    name: 'ci.json',
    shape: RECORD,
    secretsDir: 'state/secrets',
    workDir,
    fileSystem: nodeFileSystem,
    runId: 'run1',
    confidential: [],
    ...more,
  });
}

/** Told before each call to the file system, by name; may throw in its stead. `short` cuts a write down to that many bytes. */
export type Spy = (call: string) => void | { readonly short: number };

export function spiedFileSystem(spy: Spy): FileSystem {
  const guard =
    <A extends readonly unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      spy(name);
      return call(...args);
    };
  const wrap = (file: OpenFile): OpenFile => ({
    async write(bytes, position) {
      const told = spy('write');
      return file.write(typeof told === 'object' ? bytes.subarray(0, told.short) : bytes, position);
    },
    read: guard('read', file.read),
    truncate: guard('truncate', file.truncate),
    // Told, not done: a test needs no disk, and syncs are slow.
    sync: async () => Promise.resolve(spy('sync')).then(() => undefined),
    facts: guard('facts of open file', file.facts),
    // The descriptor is closed even when the call reports an error.
    async close() {
      try {
        spy('close');
      } finally {
        await file.close().catch(() => undefined);
      }
    },
  });
  return {
    open: async (path, mode) => {
      spy('open');
      return wrap(await nodeFileSystem.open(path, mode));
    },
    facts: guard('facts', nodeFileSystem.facts),
    makeFolder: guard('makeFolder', nodeFileSystem.makeFolder),
    names: guard('names', nodeFileSystem.names),
    link: guard('link', nodeFileSystem.link),
    rename: guard('rename', nodeFileSystem.rename),
    remove: guard('remove', nodeFileSystem.remove),
    syncFolder: async () => Promise.resolve(spy('syncFolder')).then(() => undefined),
  };
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: told to fail`), { code });
}
