// Every key of the schema is found and has words, and the descriptions give the rules that plans follow.
import { describe, expect, it } from 'vitest';
import { picked } from '../../src/base/picked.ts';
import { kinds } from '../../src/kinds/index.ts';
import { attributeAt, writableOf } from '../../src/model/attributes.ts';
import { changeOf, filePlaces } from './file-places.ts';

const places = filePlaces();
const pathOf = ({ path }: (typeof places)[number]): string => path.join('.');

describe('the places of the file', () => {
  it('are all found, and each has a description', () => {
    const paths = places.map(pathOf);
    for (const path of [
      'projects.PROJECT.computes.NAME.settings.pg_settings.NAME',
      'projects.PROJECT.computes.NAME.lifecycle.hold.until',
      'api_keys.NAME.rotate.overlap',
      'safety.windows',
      'profiles.NAME.autoscaling_limit_max_cu',
    ])
      expect(paths).toContain(path);
    expect(places.filter(({ schema: { description } }) => typeof description !== 'string')).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('a managed attribute', () => {
  // The file has the lease of a branch as a duration.
  const written = (attribute: string): string => (attribute === 'ttl_seconds' ? 'ttl' : attribute);
  // Values for a creation are below `create`, and the name of a project identifies the project.
  const managed = kinds.flatMap((kind) =>
    writableOf(kind)
      .filter(
        (attribute) =>
          !places.some((place) => pathOf(place).endsWith(`.create.${attribute}`)) &&
          `${kind.section}.${attribute}` !== 'projects.name',
      )
      .map((attribute) => [`${kind.section}.NAME.${written(attribute)}`, attribute, kind] as const),
  );
  it.each(managed)('%s follows the rule of plans', (path, attribute, kind) => {
    const found = places.filter((place) => `.${pathOf(place)}`.replace('.PROJECT', '.NAME').endsWith(`.${path}`));
    const rules = found.map(changeOf).filter((change) => change !== null);
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule).toEqual(picked(attributeAt(kind, attribute), ['change', 'restarts']));
  });
});

describe('a description', () => {
  const WAYS: Readonly<Record<string, RegExp>> = {
    restart: /restart/,
    move: /moves/,
    replace: /replaces/,
    immutable: /cannot/,
    never: /cannot|used at creation only/,
  };
  const changes = places.flatMap((place) => {
    const change = changeOf(place);
    if (change === null) return [];
    const way = change.restarts ? 'restart' : change.change;
    return way === 'update' ? [] : [{ key: pathOf(place), way, place }];
  });
  it.each(changes)('of $key says that a change is a $way', ({ way, place }) => {
    const above = places.filter(({ path }) => path.every((word, at) => word === place.path[at]));
    expect(above.map(({ schema: { description } }) => String(description)).join('\n')).toMatch(WAYS[way] ?? /^$/);
  });

  it.each(['from.branch', 'from.at', 'from.lsn'])('of %s: only the creation of a branch uses it', (key) => {
    const found = places.filter((place) => pathOf(place).endsWith(key));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((place) => changeOf(place) !== null)).toEqual([]);
  });
});
