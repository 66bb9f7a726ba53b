// Types of the script that measures the source.
export interface Size {
  readonly files: number;
  readonly lines: number;
  readonly tokens: number;
}

export function tokensIn(path: string, text: string): number;
export function sizes(): Readonly<Record<string, Size>>;
