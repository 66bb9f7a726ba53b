// Converts the member names of one object between code (`projectId`) and JSON (`project_id`).

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

type Snaked<T> = { [K in keyof T as K extends string ? Snake<K> : K]: T[K] };
type Cameled<T> = { [K in keyof T as K extends string ? Camel<K> : K]: T[K] };

/** Returns the members under their JSON names, without undefined ones; nested members keep their names. */
export function snaked<T extends object>(value: T): Snaked<T> {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as Snaked<T>;
}

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
