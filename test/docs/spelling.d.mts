export function misspelt(): string[];

export function wordsOf(text: string): string[];
