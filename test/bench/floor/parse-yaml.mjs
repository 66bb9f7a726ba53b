// The bare reading of a folder of YAML files: what the parser alone takes for them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

const [folder] = process.argv.slice(2);
for (const name of readdirSync(folder)) parse(readFileSync(join(folder, name), 'utf8'));
