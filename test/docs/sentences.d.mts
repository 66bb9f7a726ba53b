/** One sentence, and the file that holds it. */
export interface Sentence {
  readonly area: Area;
  readonly path: string;
  readonly text: string;
  readonly isHeading: boolean;
}

export type Area = 'docs' | 'help' | 'messages' | 'schemas' | 'server' | 'comments' | 'titles';

export const areas: readonly Area[];

export function sentences(wanted?: readonly Area[]): Sentence[];

export function sentencesOfMarkdown(text: string): Pick<Sentence, 'text' | 'isHeading'>[];

export function split(text: string): string[];
