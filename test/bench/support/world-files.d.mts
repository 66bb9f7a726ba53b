// The types of world-files.mjs, for tests in TypeScript.
export interface Fleet {
  readonly projects: number;
  readonly branches: number;
  readonly first?: number;
  readonly everyNth?: number;
}

export declare function trueupFile(fleet: Fleet): string;
