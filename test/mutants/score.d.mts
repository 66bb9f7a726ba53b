// What a run of Stryker comes to, for tests in TypeScript.

export interface Score {
  readonly noticed: number;
  readonly of: number;
}

export interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
}

export type Files = Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;

export declare function scoreOf(files: Files): Score;
export declare function sumOf(scores: readonly Score[]): Score;
export declare function scoreWords(score: Score): string;
export declare function survivorsOf(files: Files): readonly string[];
