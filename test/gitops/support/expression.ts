// The expressions of YAML files for GitHub, as far as the action and the workflows use them: names, texts, calls, ==, !=, !, && and ||.

/** Gives the value of a name such as `inputs.files` or `steps.plan.outputs.changes`, and of a call such as `cancelled()`. */
export type Names = (name: string) => string | boolean;

type Value = string | boolean;

/** The functions of GitHub that the workflows call. A list is its JSON text. */
const FUNCTIONS: Readonly<Record<string, (...given: readonly string[]) => Value>> = {
  'startsWith(': (text = '', start = '') => text.startsWith(start),
  'contains(': (list = '[]', member = '') => (JSON.parse(list) as readonly string[]).includes(member),
  'fromJSON(': (text = '') => text,
};

/** Text with every `${{ … }}` replaced by its value. */
export function interpolate(text: string, names: Names): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => String(evaluate(expression, names)));
}

/** The value of one expression, with or without its braces. */
export function evaluate(text: string, names: Names): Value {
  const bare = text.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, '$1');
  const tokens = bare.match(/'[^']*'|==|!=|&&|\|\||[!()]|[A-Za-z][\w.-]*(?:\(\)?)?|,/g) ?? [];
  let at = 0;
  const primary = (): Value => {
    const token = tokens[at++] ?? '';
    if (token === '!') return !primary();
    if (token === '(') {
      const value = either();
      at += 1;
      return value;
    }
    const called = FUNCTIONS[token];
    if (called === undefined) return token.startsWith("'") ? token.slice(1, -1) : names(token);
    const given: string[] = [];
    do given.push(String(either()));
    while (tokens[at++] === ',');
    return called(...given);
  };
  const comparison = (): Value => {
    const left = primary();
    const operator = tokens[at];
    if (operator !== '==' && operator !== '!=') return left;
    at += 1;
    return (left === primary()) === (operator === '==');
  };
  const both = (): Value => {
    let value = comparison();
    while (tokens[at] === '&&') {
      at += 1;
      const next = comparison();
      value = isTrue(value) ? next : value;
    }
    return value;
  };
  const either = (): Value => {
    let value = both();
    while (tokens[at] === '||') {
      at += 1;
      const next = both();
      value = isTrue(value) ? value : next;
    }
    return value;
  };
  return either();
}

/** An empty text is false; so GitHub has it too. */
export function isTrue(value: Value): boolean {
  return value !== '' && value !== false;
}
