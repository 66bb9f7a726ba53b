/** One sentence, and the file that holds it. */
export interface Sentence {
  readonly area: Area;
  readonly path: string;
  readonly text: string;
  readonly isHeading: boolean;
  /** The heading and the key under which people read it. */
  readonly within?: string;
}

export type Area = 'docs' | 'help' | 'messages' | 'schemas' | 'server' | 'comments' | 'titles';

export function sentences(wanted?: readonly Area[]): Sentence[];
