// Types of the script that measures the hooks of the kinds.
export function hookLines(): ReadonlyMap<string, number>;
