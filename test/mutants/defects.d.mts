// What the planted defects are, for tests in TypeScript.

export interface Defect {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly ring: string;
  readonly tests: readonly string[];
  readonly named?: string;
}

export declare function plantedDefects(): readonly Defect[];
export declare function plant(defect: Defect, text: string): string;
