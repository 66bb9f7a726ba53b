// Standalone ajv validators of a bundle of schemas.
/** One schema whose $defs are those of all files (a file's root, where it is one, under its title); references point into it. */
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
  // The code asks for its one helper as CommonJS does, which nothing that packs modules could follow.
  const helper = 'require("ajv/dist/runtime/ucs2length").default';
  const code = joinedErrors(plainLooks(standalone(ajv, entries).replaceAll(helper, 'ucs2length')));
  if (code.includes('require(')) throw new Error('the validators need a helper that nobody imports for them');
  // Node.js gives the whole CommonJS module here, others its default.
  const prelude = code.includes('ucs2length')
    ? "import helper from 'ajv/dist/runtime/ucs2length.js';\nconst ucs2length = helper.default ?? helper;\n"
    : '';
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.\n${prelude}${code}\n`;
}

/** Errors are added to those before: a new list each time would take a time that grows with the square of their number. */
function joinedErrors(code) {
  const joined = code.replaceAll(
    /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g,
    'vErrors = joined(vErrors, $1.errors)',
  );
  if (joined.includes('vErrors.concat')) throw new Error('errors are joined in a way that is not known here');
  return `${joined}\nfunction joined(all, more) {\n  if (all === null) return more;\n  for (const one of more) all.push(one);\n  return all;\n}\n`;
}

/** Without asking whether a member is the object's own, where no object inherits one of that name: that takes longer than all else. */
function plainLooks(code) {
  const isOwn = (match, look, name) => (name in Object.prototype ? match : look);
  return code
    .replaceAll(/(\bdata\d*\.(\w+) !== undefined) && func\d+\.call\(data\d*, ?"\2"\)/g, isOwn)
    .replaceAll(/\((\bdata\d*\.(\w+) === undefined)\) \|\| \(!\(func\d+\.call\(data\d*, ?"\2"\)\)\)/g, isOwn);
}

/** Validators carry the schemas that they point into: what is only for people stays out. */
function withoutProse(schema) {
  const isProse = (key, value) =>
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value));
  return JSON.parse(JSON.stringify(schema, (key, value) => (isProse(key, value) ? undefined : value)));
}
