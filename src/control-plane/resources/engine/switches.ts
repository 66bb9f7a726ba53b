// Switches for behaviour that the API reference leaves open, and the limits of each pricing plan.
import type { DueContext as Moment } from '../../core/table.ts';
import { accountSwitches } from './switches/account.ts';
import { computeSwitches } from './switches/compute.ts';

export interface DueContext extends Moment {
  readonly switches: Switches;
}

export interface SwitchRow<T> {
  readonly settings: readonly [T, ...T[]];
  readonly reason: string;
}

type Rows = typeof computeSwitches & typeof accountSwitches;

export type Switches = { readonly [K in keyof Rows]: Rows[K]['settings'][number] };

export const switchTable: { readonly [K in keyof Switches]: SwitchRow<Switches[K]> } = {
  ...computeSwitches,
  ...accountSwitches,
};

const switchNames: readonly (keyof Switches)[] = (Object.keys(switchTable) as (keyof Switches)[]).sort();

/** All switches: defaults, overridden by `changes`. Throws RangeError for an unknown name or setting. */
export function resolveSwitches(changes: Partial<Switches> = {}): Switches {
  const resolved: Record<string, unknown> = {};
  for (const name of switchNames) resolved[name] = switchTable[name].settings[0];
  for (const [name, setting] of Object.entries(changes)) {
    if (setting === undefined) continue;
    const row = Object.hasOwn(switchTable, name) ? switchTable[name as keyof Switches] : undefined;
    if (row === undefined) throw new RangeError(`there is no switch ${JSON.stringify(name)}`);
    if (!(row.settings as readonly unknown[]).includes(setting))
      throw new RangeError(`the switch ${name} can be ${row.settings.join(', ')}`);
    resolved[name] = setting;
  }
  return resolved as unknown as Switches;
}

export function switchesOf(texts: readonly string[]): Partial<Switches> {
  const changes = texts.map((text) => {
    const [name = '', ...rest] = text.split('=');
    if (rest.length === 0) throw new RangeError(`${JSON.stringify(text)}: a switch is given as NAME=VALUE`);
    const typed = rest.join('=');
    const settings: readonly unknown[] = Object.hasOwn(switchTable, name)
      ? switchTable[name as keyof Switches].settings
      : [];
    return [name, settings.find((setting) => String(setting) === typed) ?? typed] as const;
  });
  const asked: Partial<Switches> = Object.fromEntries(changes);
  resolveSwitches(asked);
  return asked;
}

export type Plan = 'free' | 'launch' | 'scale';

export interface PlanLimits {
  readonly projects: number;
  readonly branches: number;
  readonly rootBranches: number;
  readonly protectedBranches: number;
  readonly historySeconds: number;
  /** The largest compute in compute units. */
  readonly computeCu: number;
  /** The autosuspend delays in seconds that a client may choose; if absent, any valid delay. */
  readonly suspendSeconds?: readonly number[];
}

/** The history of a new project in seconds, unless the pricing plan allows less. */
export const DEFAULT_HISTORY_SECONDS = 86_400;

export const plans: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    projects: 100,
    branches: 10,
    rootBranches: 3,
    protectedBranches: 0,
    historySeconds: 21_600,
    // The size with 1 GB of RAM (api-rules 13.6).
    computeCu: 0.25,
    suspendSeconds: [],
  },
  launch: {
    projects: 100,
    branches: 5000,
    rootBranches: 5,
    protectedBranches: 2,
    historySeconds: 604_800,
    computeCu: 16,
    suspendSeconds: [-1, 0, 300],
  },
  scale: {
    projects: 1000,
    branches: 5000,
    rootBranches: 25,
    protectedBranches: 5,
    historySeconds: 2_592_000,
    computeCu: 56,
  },
};
