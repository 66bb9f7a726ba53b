// Names of members in our code (`projectId`) and in JSON (`project_id`): one rule, for the members of one object.

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

type Snaked<T> = { [K in keyof T as K extends string ? Snake<K> : K]: T[K] };
type Cameled<T> = { [K in keyof T as K extends string ? Camel<K> : K]: T[K] };

/** The same members under their names in JSON; what lies within them stays as it is. Members that are undefined are left out. */
export function snaked<T extends object>(value: T): Snaked<T> {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as Snaked<T>;
}

/** The same members under their names in our code. */
export function cameled<T extends object>(value: T): Cameled<T> {
  return renamed(value, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as Cameled<T>;
}

function renamed(value: object, rename: (name: string) => string): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[rename(name), member as unknown]],
    ),
  );
}
