// Every behaviour that the API reference leaves open: a switch with its settings, its default and the reason for it.
import type { DueContext as Moment } from '../../core/table.ts';
import { accountSwitches, type AccountSwitches } from './switches/account.ts';
import { computeSwitches, type ComputeSwitches } from './switches/compute.ts';
import type { SwitchRows } from './switches/row.ts';

/** The moment and the rules by which a due event is found. */
export interface DueContext extends Moment {
  readonly switches: Switches;
}

export interface Switches extends ComputeSwitches, AccountSwitches {}

export const switchTable: SwitchRows<Switches> = { ...computeSwitches, ...accountSwitches };

const switchNames: readonly (keyof Switches)[] = (Object.keys(switchTable) as (keyof Switches)[]).sort();

/** The default of every switch, with `changes` on top. Throws RangeError for an unknown name or setting. */
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

/** Switches as they are typed: `NAME=VALUE`. Throws RangeError. */
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
