// What a file of the bundle gives to others: as plain members, which are had at once; a getter is a call, each time one is used.
import { parseAst } from 'rolldown/parseAst';

const GETTER =
  /Object\.defineProperty\(exports,(["'`])([\w$]+)\1,\{enumerable:true,get:function\(\)\{return ([\w$]+)\}\}\)/g;

/** Only what never changes: a getter stays where its variable may be set later, or where the statement stands too early. */
export function plainExports(code) {
  const { body } = parseAst(code, { sourceType: 'script' });
  const settled = new Map(body.flatMap((statement) => namesOf(statement).map((name) => [name, startOf(statement)])));
  return code.replaceAll(GETTER, (getter, _quote, name, value, at) =>
    (settled.get(value) ?? Infinity) < at ? `exports.${name}=${value}` : getter,
  );
}

function namesOf(statement) {
  switch (statement.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [statement.id.name];
    case 'VariableDeclaration':
      return statement.kind === 'const'
        ? statement.declarations.filter(({ id }) => id.type === 'Identifier').map(({ id }) => id.name)
        : [];
    default:
      return [];
  }
}

/** Functions are there from the beginning. */
function startOf({ type, start }) {
  return type === 'FunctionDeclaration' ? -1 : start;
}
