// A workload that was run once, without trouble: what laws are held against when they are shown to be broken.
import type { Story } from './laws/story.ts';
import { workloadOf } from './world/reference.ts';
import { run, type RunRecord } from './world/run.ts';
import { BASE_URL, createSite } from './world/site.ts';

const STRICT = {
  serverLies: false,
  pretends: false,
  lateCommits: false,
  brokenOperations: false,
  emptySuccess: false,
  othersWrite: false,
  wrongDates: false,
  journalLost: false,
};

/** Forms in which a value may leak. */
export const FORMS: readonly (readonly [string, (value: string) => string])[] = [
  ['as it is', (value) => value],
  ['in Base64', (value) => Buffer.from(`x${value}`).toString('base64')],
  ['in hexadecimal', (value) => Buffer.from(value).toString('hex')],
  ['backwards', (value) => Array.from(value).reverse().join('')],
];

export interface Scene {
  readonly story: Story;
  readonly record: RunRecord;
  /** Sends a request in the name of the run, behind the tool's back. */
  readonly forge: (method: string, path: string, body?: unknown) => Promise<void>;
}

/** The workload with this number, such as `W1`. */
export async function sceneOf(number: string): Promise<Scene> {
  const workload = workloadOf(number);
  const site = createSite({ seed: 1, world: workload.world, secrets: workload.secrets ?? {} });
  const native = new Set(site.plane.truth.keys().map(({ id }) => id));
  const record = await site.time.run(run(site, workload), 3_600_000);
  const story: Story = { site, workload, runs: [record], native, leniency: STRICT };
  const forge = async (method: string, path: string, body?: unknown): Promise<void> => {
    const text = body === undefined ? null : JSON.stringify(body);
    const requestId = `r1-${1000 + site.wire.length}`;
    const key = site.ownKeyId;
    site.wire.push({ requestId, run: record.run, method, path, body: text, key, atMs: site.time.nowMs, end: 200 });
    const headers = {
      authorization: `Bearer ${site.keyValues.get(site.ownKeyId) ?? ''}`,
      'x-request-id': requestId,
      'content-type': 'application/json',
    };
    const reply = await site.plane.handle(new Request(BASE_URL + path, { method, headers, body: text }));
    if (reply.status >= 300) throw new Error(await reply.text());
  };
  return { story, record, forge };
}
