// The fields of a compute's configuration: its size between two bounds, and when it is suspended.
import { tableSizes } from '../../../../api/size-table.ts';
import { numberOf, typed } from '../../action.ts';
import type { Field } from '../../page/fields.ts';
import type { FormVisit } from '../../visit.ts';
import { autosuspendWords, capacityWords, connectionWords } from '../../words.ts';

/** Values of the fields; sizes in compute units, the delay in seconds as the API has it. */
export interface Config {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly suspend: number | undefined;
}

/** For a compute that is not there yet. */
const PROJECT_DEFAULT = ['default', 'Default of the project'] as const;
const DELAYS: readonly number[] = [0, 60, 900, 3600, 21_600, 86_400, 604_800, -1];

export function configFields({ min, max, suspend }: Config): readonly Field[] {
  const delays = suspend === undefined || DELAYS.includes(suspend) ? DELAYS : [suspend, ...DELAYS];
  return [
    {
      kind: 'choice',
      name: 'min',
      label: 'Minimum size',
      value: String(min ?? 'default'),
      options: sizes(min, minimumWords),
    },
    {
      kind: 'choice',
      name: 'max',
      label: 'Maximum size',
      value: String(max ?? 'default'),
      options: sizes(max, capacityWords),
      help: 'With the same minimum and maximum the size is fixed; otherwise the compute scales between them. The number of connections follows the minimum.',
    },
    {
      kind: 'choice',
      name: 'suspend',
      label: 'Autosuspend',
      value: String(suspend ?? 'default'),
      options: [
        ...(suspend === undefined ? [PROJECT_DEFAULT] : []),
        ...delays.map((seconds) => {
          const words = autosuspendWords({ suspend_timeout_seconds: seconds });
          return [String(seconds), seconds === 0 ? `${words} (default)` : words] as const;
        }),
      ],
    },
  ];
}

/** The chosen values, by the names of the API; a size left open is left out. */
export function chosenConfig(visit: FormVisit): Readonly<Record<string, number>> {
  const number = (name: string, member: string): Record<string, number> => {
    const text = typed(visit, name);
    return text === 'default' || !visit.form.has(name) ? {} : { [member]: numberOf(text) };
  };
  return {
    ...number('min', 'autoscaling_limit_min_cu'),
    ...number('max', 'autoscaling_limit_max_cu'),
    ...number('suspend', 'suspend_timeout_seconds'),
  };
}

/** The sizes of the table and the present one; for a compute that is not there yet, the default of its project. */
function sizes(
  present: number | undefined,
  wordsOf: (units: number) => string,
): readonly (readonly [value: string, words: string])[] {
  const all = present === undefined || tableSizes.includes(present) ? tableSizes : [...tableSizes, present];
  const options = [...all].sort((a, b) => a - b).map((size) => [String(size), `${size} CU: ${wordsOf(size)}`] as const);
  return present === undefined ? [PROJECT_DEFAULT, ...options] : options;
}

function minimumWords(units: number): string {
  const connections = connectionWords(units);
  return `${units * 4} GB RAM${connections === '' ? '' : `, ${connections}`}`;
}
