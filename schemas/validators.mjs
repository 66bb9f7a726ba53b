// Standalone ajv validators of a bundle of schemas.
/** One schema with the $defs of all files, and the root of each file under its title. References point into that schema. */
export function bundleOf(schemas) {
  const $defs = {};
  const add = (name, definition) => {
    if ($defs[name] !== undefined) throw new Error(`two schemas define ${name}`);
    $defs[name] = definition;
  };
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) add(name, definition);
    if (schema.type !== undefined || schema.$ref !== undefined) {
      const { $defs: _defs, $schema: _schema, $id: _id, ...own } = schema;
      add(schema.title, own);
    }
  }
  const text = JSON.stringify($defs).replaceAll(/"\$ref":"[^"#]*#\/\$defs\//g, '"$ref":"#/$defs/');
  return { $id: 'https://trueup.dev/schemas/bundle.json', $defs: JSON.parse(text) };
}

/** The code of a module that exports a validator for each of `names`. */
export async function validatorsOf(bundle, names) {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    discriminator: true,
    ownProperties: true,
    verbose: false,
    schemas: [withoutProse(bundle)],
    keywords: ['x-trueup'],
    code: { source: true, esm: true, lines: false },
  });
  const entries = Object.fromEntries(names.map((name) => [name, `${bundle.$id}#/$defs/${name}`]));
  // The code requires its one helper as CommonJS does, which bundlers cannot follow.
  const helper = 'require("ajv/dist/runtime/ucs2length").default';
  const code = joinedErrors(plainLooks(standalone(ajv, entries).replaceAll(helper, 'ucs2length')));
  if (code.includes('require(')) throw new Error('the validators need a helper that nobody imports for them');
  // Node.js gives the whole CommonJS module here, others its default.
  const prelude = code.includes('ucs2length')
    ? "import helper from 'ajv/dist/runtime/ucs2length.js';\nconst ucs2length = helper.default ?? helper;\n"
    : '';
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.\n${prelude}${code}\n`;
}

/** Appends errors to one list: a new list for each error would take quadratic time. */
function joinedErrors(code) {
  const joined = code.replaceAll(
    /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g,
    'vErrors = joined(vErrors, $1.errors)',
  );
  if (joined.includes('vErrors.concat')) throw new Error('errors are joined in a way that is not known here');
  return `${joined}\nfunction joined(all, more) {\n  if (all === null) return more;\n  for (const one of more) all.push(one);\n  return all;\n}\n`;
}

/** Skips the check for own members if no object inherits a member of that name: the check takes most of the time. */
function plainLooks(code) {
  const isOwn = (match, look, name) => (name in Object.prototype ? match : look);
  return code
    .replaceAll(/(\bdata\d*\.(\w+) !== undefined) && func\d+\.call\(data\d*, ?"\2"\)/g, isOwn)
    .replaceAll(/\((\bdata\d*\.(\w+) === undefined)\) \|\| \(!\(func\d+\.call\(data\d*, ?"\2"\)\)\)/g, isOwn);
}

/** Validators contain the schemas that they refer to, without the texts for people. */
function withoutProse(schema) {
  const isProse = (key, value) =>
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value));
  return JSON.parse(JSON.stringify(schema, (key, value) => (isProse(key, value) ? undefined : value)));
}
