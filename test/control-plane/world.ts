// A control plane in virtual time, and short ways to speak to it.
import { VirtualClock } from '../support/virtual-clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { Branch, Endpoint, Operation, ProjectListItem } from '../../src/api/index.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../../src/control-plane/index.ts';

/** A reply's body: the members that replies have. Reading one that is not there fails the test. */
export interface Body {
  readonly [member: string]: unknown;
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly endpoints: readonly Endpoint[];
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly project: ProjectListItem;
  readonly projects: readonly ProjectListItem[];
  readonly branch: Branch;
  readonly branches: readonly Branch[];
  readonly pagination: { readonly cursor: string; readonly next?: string };
  readonly message: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  /** The body of a reply that is a bare array. */
  readonly list: readonly Body[];
  readonly headers: Headers;
  readonly text: string;
}

export interface SendOptions {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  readonly text?: string | Uint8Array<ArrayBuffer>;
}

export interface TestWorld {
  readonly clock: VirtualClock;
  readonly plane: ControlPlane;
  readonly key: string;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  /** Lets time pass, then everything that was due has happened. */
  pass(ms: number): Promise<void>;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Ids of the default world. */
export const SHOP = '/projects/spring-example-302709';
export const MAIN = 'br-wispy-meadow-118737';
export const STAGING = 'br-calm-sea-220011';
export const DEV = 'br-old-river-991122';
export const PRIMARY = 'ep-cool-darkness-123456';
export const ENDPOINTS = `${SHOP}/endpoints`;
export const ONE = `${ENDPOINTS}/${PRIMARY}`;

export function makeWorld(options: ControlPlaneOptions = {}): TestWorld {
  const clock = new VirtualClock();
  const plane = createControlPlane({
    clock,
    random: seededRandom(7),
    operationMs: { min: 1000, max: 1000 },
    onBug: (error) => {
      throw error;
    },
    ...options,
  });
  const rootKey = plane.rootKey?.reveal() ?? '';
  const send: TestWorld['send'] = async (method, path, body, options = {}) => {
    const key = 'key' in options ? options.key : rootKey;
    const text = options.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers: Record<string, string> = {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    };
    const sent = { method, headers, ...(text === undefined ? {} : { body: text }) };
    const request = new Request(`http://localhost/api/v2${path}`, sent);
    const response = await plane.handle(request, options.address === undefined ? {} : { address: options.address });
    const answer = await response.text();
    const parsed = parse(answer);
    const { status, headers: received } = response;
    return { status, headers: received, text: answer, body: parsed as Body, list: parsed as Body[] };
  };
  return { clock, plane, key: rootKey, pass: (ms) => clock.advance(ms), send };
}

/** The default account's place taken by one key with this id. */
export function worldWithKey(id: string): TestWorld {
  return makeWorld({ seed: { api_keys: [{ id, name: 'large', key: 'a-key-for-tests' }] } });
}

function parse(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { text };
  }
}

/** The ids and states that matter, for short expectations. */
export function actionsOf(answer: Answer): string[] {
  return answer.body.operations.map((operation) => `${operation.action} ${operation.status}`);
}

export async function organizationOf(world: Pick<TestWorld, 'send'>): Promise<string> {
  const { body } = await world.send('GET', '/users/me/organizations');
  return (body['organizations'] as readonly { readonly id: string }[])[0]?.id ?? '';
}

/** Creates a compute and lets it become active. */
export async function createActive(world: TestWorld, branchId: string, attributes: object = {}): Promise<string> {
  const answer = await world.send('POST', ENDPOINTS, {
    endpoint: { branch_id: branchId, type: 'read_write', ...attributes },
  });
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  await world.pass(2000);
  return answer.body.endpoint.id;
}
