// What can be wrong within one project: contradictions, and addresses that are none.
import { isJsonObject, objectOf, type Json } from '../../../base/json.ts';
import type { Entry, EntryProblem } from '../../../config/kind-section.ts';
import { nameProblem } from '../../../config/check/names.ts';
import { besideAbsence, error, sizesProblem } from '../../shared/problems.ts';

export function entryProblems(entry: Entry): readonly EntryProblem[] {
  return [
    ...absenceProblems(entry),
    ...windowProblems(entry),
    ...renameProblems(entry),
    ...sizeProblems(entry),
    ...addressProblems(entry),
  ];
}

/** What goes is not changed before. */
function absenceProblems({ value }: Entry): readonly EntryProblem[] {
  if (value['state'] !== 'absent') return [];
  const other = Object.keys(value).find((key) => !['id', 'name', 'state', 'lifecycle'].includes(key));
  return other === undefined ? [] : [besideAbsence(other)];
}

/** Of one that may be created the service has no window yet that members could be added to. */
function windowProblems({ value }: Entry): readonly EntryProblem[] {
  const { settings, create } = value;
  const window = isJsonObject(settings) ? settings['maintenance_window'] : undefined;
  if (create === undefined || !isJsonObject(window)) return [];
  const missing = ['weekdays', 'start_time', 'end_time'].filter((member) => window[member] === undefined);
  if (missing.length === 0) return [];
  return [
    error(
      ['settings', 'maintenance_window'],
      'window_unfinished',
      `the window of a project that may be created is written whole: ${missing.map((one) => `\`${one}\``).join(' and ')} missing`,
      { atKey: true },
    ),
  ];
}

function renameProblems({ name, value }: Entry): readonly EntryProblem[] {
  const from = value['renamed_from'];
  if (typeof from !== 'string') return [];
  const problem = nameProblem(from);
  if (problem !== null) return [error(['renamed_from'], 'bad_name', problem)];
  if (from !== (value['name'] ?? name)) return [];
  return [
    error(['renamed_from'], 'contradiction', 'it would be renamed to the name that it has', {
      hint: 'Remove `renamed_from`, or write the new name as `name:`.',
    }),
  ];
}

function sizeProblems({ value }: Entry): readonly EntryProblem[] {
  const problem = sizesProblem(objectOf(value['default_endpoint_settings']), ['default_endpoint_settings']);
  return problem === null ? [] : [problem];
}

function addressProblems({ value }: Entry): readonly EntryProblem[] {
  const { settings } = value;
  const allowed = isJsonObject(settings) ? settings['allowed_ips'] : undefined;
  const ips: Json = isJsonObject(allowed) ? (allowed['ips'] ?? []) : [];
  if (!Array.isArray(ips)) return [];
  return ips.flatMap((rule: Json, at): readonly EntryProblem[] =>
    typeof rule !== 'string' || isAddressRule(rule)
      ? []
      : [
          error(
            ['settings', 'allowed_ips', 'ips', at],
            'bad_address',
            `${JSON.stringify(rule)} is no address, CIDR range or range FROM-TO`,
            { hint: 'For example 203.0.113.7, 203.0.113.0/24 or 203.0.113.1-203.0.113.9.' },
          ),
        ],
  );
}

function isAddressRule(text: string): boolean {
  const [from = '', to, ...rest] = text.split('-').map((part) => part.trim());
  if (rest.length > 0) return false;
  if (to !== undefined) return familyOf(from) !== 0 && familyOf(from) === familyOf(to);
  const [address = '', bits, ...more] = from.split('/');
  const family = familyOf(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Of an address; 0 for what is none. */
function familyOf(text: string): 4 | 6 | 0 {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (octets !== null) return octets.slice(1).every((octet) => Number(octet) <= 255) ? 4 : 0;
  return /^[\dA-Fa-f:.]+$/.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}
