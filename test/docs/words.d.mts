import type { Area, Sentence } from './sentences.mjs';

export const mostWords: number;

export function wordViolations(sentence: Pick<Sentence, 'text' | 'isHeading'>): string[];

export function violations(): { readonly area: Area; readonly path: string; readonly line: string }[];
