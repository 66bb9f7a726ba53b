// The sections of the reference of the file: where the YAML of their tasks stands, and the keys that each section shows.

/** Where the YAML of a task stands: at the top of the file, in the project shop, in its branch main, or in its compute primary. */
export type Level = 'file' | 'project' | 'branch' | 'compute';

export interface Section {
  readonly level: Level;
  /** The path of the mapping whose keys are shown. */
  readonly path: string;
  /** Keys below it that other sections show, or whose members do. */
  readonly without?: readonly string[];
}

const PROJECT = 'projects.PROJECT';
const BRANCH = `${PROJECT}.branches.NAME`;
const COMPUTE = `${PROJECT}.computes.NAME`;
const INHERITED = 'name id state secret rotate lifecycle'.split(' ');

/** By the heading of the page. */
export const sections: Readonly<Record<string, Section>> = {
  'Top level': { level: 'file', path: '', without: ['projects', 'profiles', 'safety', 'api_keys', 'org_api_keys'] },
  Project: {
    level: 'project',
    path: PROJECT,
    without: 'safety branches previews retention computes permissions settings.preload_libraries. lifecycle'.split(' '),
  },
  Branch: { level: 'project', path: BRANCH, without: ['roles', 'databases', 'connections', 'lifecycle'] },
  'Preview set': {
    level: 'project',
    path: `${PROJECT}.previews.NAME`,
    without: ['computes', 'roles', 'databases', 'connections', 'from.'],
  },
  'Retention rule': { level: 'project', path: `${PROJECT}.retention.NAME` },
  Role: { level: 'branch', path: `${BRANCH}.roles.NAME`, without: ['password.', 'lifecycle'] },
  Database: { level: 'branch', path: `${BRANCH}.databases.NAME`, without: ['lifecycle'] },
  Connection: { level: 'branch', path: `${BRANCH}.connections.NAME`, without: ['secret.'] },
  Compute: { level: 'project', path: COMPUTE, without: ['lifecycle'] },
  Permission: { level: 'project', path: `${PROJECT}.permissions.NAME`, without: ['lifecycle'] },
  'API key': { level: 'file', path: 'api_keys.NAME', without: ['secret.', 'lifecycle'] },
  'Organization key': { level: 'file', path: 'org_api_keys.NAME', without: INHERITED },
  'Secret sinks': { level: 'file', path: 'api_keys.NAME.secret' },
  Limits: { level: 'file', path: 'safety' },
  'Guards on a resource': { level: 'compute', path: `${COMPUTE}.lifecycle` },
};

/** The file in which the YAML of a task stands. */
export function fileOf(level: Level, yaml: string): string {
  if (level === 'file') return `version: 1\n${yaml}\n`;
  if (level === 'project') return `version: 1\nprojects:\n  shop:\n    ${yaml}\n`;
  const home =
    level === 'branch' ? 'branches: { main: { id: br-wispy-meadow-118737' : 'computes: { primary: { branch: main';
  return `version: 1\nprojects: { shop: { ${home}, ${yaml} } } } }\n`;
}

/** A second file, in which the YAML of some tasks finds what it refers to. */
export const around: Readonly<Record<Level, string>> = {
  file: 'version: 1\nprojects: { shop: {} }\n',
  project:
    'version: 1\nprojects: { shop: { branches: { main: br-wispy-meadow-118737, staging: br-old-river-991122 } } }\n',
  branch: 'version: 1\n',
  compute: 'version: 1\nprojects: { shop: { branches: { main: br-wispy-meadow-118737 } } }\n',
};
