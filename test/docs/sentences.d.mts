/** One sentence, and the file that holds it. */
export interface Sentence {
  readonly area: Area;
  readonly path: string;
  readonly text: string;
  readonly isHeading: boolean;
}

export type Area = 'docs' | 'help' | 'messages' | 'schemas' | 'server' | 'comments' | 'titles';

export function sentences(wanted?: readonly Area[]): Sentence[];
