// The expressions of an action's YAML, as far as the action uses them: names, texts, ==, !=, !, && and ||.

/** Gives the value of a name such as `inputs.files` or `steps.plan.outputs.changes`, and of a call such as `cancelled()`. */
export type Names = (name: string) => string | boolean;

type Value = string | boolean;

/** Text with every `${{ … }}` replaced by its value. */
export function interpolate(text: string, names: Names): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => String(evaluate(expression, names)));
}

/** The value of one expression, with or without its braces. */
export function evaluate(text: string, names: Names): Value {
  const bare = text.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, '$1');
  const tokens = bare.match(/'[^']*'|==|!=|&&|\|\||[!()]|[A-Za-z][\w.-]*(?:\(\))?/g) ?? [];
  let at = 0;
  const primary = (): Value => {
    const token = tokens[at++] ?? '';
    if (token === '!') return !primary();
    if (token === '(') {
      const value = either();
      at += 1;
      return value;
    }
    return token.startsWith("'") ? token.slice(1, -1) : names(token);
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
