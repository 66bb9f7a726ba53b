// Types of bundle-exports.mjs, for its test.
export function plainExports(code: string): string;
