// Renders drift as SARIF 2.1.0: each finding has its position in a file, if known, and a fingerprint that stays the same.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { SourceRange } from '../../model/source.ts';
import { findingsOf, FINDING_CLASSES, type DriftFacts, type Finding, type FindingClass } from '../view/findings.ts';
import { nameText } from '../text/escape.ts';
import { problemText } from '../messages/problems.ts';

interface Rule {
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly help: string;
}

const RULES: Readonly<Record<FindingClass, Rule>> = {
  changed: {
    level: 'error',
    text: 'A live resource differs from its declaration.',
    help: 'Run trueup apply to restore the declared value, or write the live value into the file.',
  },
  missing: {
    level: 'error',
    text: 'A declared resource does not exist.',
    help: 'Run trueup apply to create the resource, or remove it from the file.',
  },
  unmanaged: {
    level: 'note',
    text: 'No file lists a live resource.',
    help: 'Run trueup import, or list the id of the resource under unmanaged_ok.',
  },
  held: {
    level: 'note',
    text: 'A hold accepts a known difference.',
    help: 'The difference is reported again when the hold ends.',
  },
  due: { level: 'note', text: 'A clock-driven change is due.', help: 'Run trueup apply --due.' },
  not_compared: {
    level: 'note',
    text: 'An attribute or a resource was not compared.',
    help: 'The message gives the reason.',
  },
  unread: {
    level: 'warning',
    text: 'A part of the account could not be read.',
    help: 'Differences there are not known until the service can be read.',
  },
  unplanned: {
    level: 'error',
    text: 'A project could not be compared because of its live state.',
    help: 'The message gives the reason; differences there are not known until you fix the cause.',
  },
  expired: { level: 'note', text: 'A preview ended by its TTL.', help: 'Run trueup apply to re-create the preview.' },
};

/** The maximum number of results, because GitHub shows no more. A notification counts the rest. */
const MOST_RESULTS = 5000;

export function driftToSarif(report: DriftReport | null, version: string, { files, problems }: DriftFacts): JsonObject {
  // Findings without a position get the first file of the run.
  const [file = null] = files;
  const findings = report === null ? [] : findingsOf(report);
  const rest = findings.length - MOST_RESULTS;
  const notifications = [
    ...problems.map(notificationOf),
    ...(rest > 0 ? [{ level: 'warning', message: { text: `${rest} more findings are left out.` } }] : []),
  ];
  const invocation = {
    executionSuccessful: report !== null && report.status !== 'incomplete',
    ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
  };
  const driver = { name: 'trueup', semanticVersion: version, rules: FINDING_CLASSES.map(ruleToJson) };
  const results = findings.slice(0, MOST_RESULTS).map((finding) => resultToJson(finding, file));
  // Without a report, `results` is absent: an empty list would mean that there are no findings.
  const found = report === null ? {} : { results };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', invocations: [invocation], ...found }],
  };
}

function notificationOf(problem: Diagnostic): JsonObject {
  return {
    level: problem.severity,
    descriptor: { id: problem.code },
    message: messageOf(problemText(problem)),
    ...(problem.range === undefined ? {} : { locations: [{ physicalLocation: placeToJson(problem.range) }] }),
  };
}

function ruleId(kind: FindingClass): string {
  return `drift/${kind.replaceAll('_', '-')}`;
}

function ruleToJson(kind: FindingClass): JsonObject {
  const { level, text, help } = RULES[kind];
  return { id: ruleId(kind), shortDescription: { text }, help: { text: help }, defaultConfiguration: { level } };
}

function resultToJson(finding: Finding, file: string | null): JsonObject {
  return {
    ruleId: ruleId(finding.kind),
    ruleIndex: FINDING_CLASSES.indexOf(finding.kind),
    level: finding.kind === 'unmanaged' && finding.drift ? 'warning' : RULES[finding.kind].level,
    message: messageOf(`${nameText(finding.address)}: ${finding.message}`),
    locations: [locationToJson(finding, file)],
    partialFingerprints: { 'trueup/v1': finding.fingerprint },
  };
}

/** Breaks up `](`, because SARIF shows `[words](address)` as a link (3.11.6), even in outside text. */
function messageOf(text: string): JsonObject {
  return { text: text.replaceAll('](', '] (') };
}

function locationToJson(finding: Finding, file: string | null): JsonObject {
  const { source } = finding;
  const place = source?.file ?? file;
  const region = source === null ? { startLine: 1 } : regionOf(source);
  return {
    ...(place === null ? {} : { physicalLocation: { artifactLocation: { uri: uriOf(place) }, region } }),
    logicalLocations: [{ fullyQualifiedName: nameText(finding.address), kind: 'resource' }],
  };
}

function placeToJson(range: SourceRange): JsonObject {
  return { artifactLocation: { uri: uriOf(range.file) }, region: regionOf(range) };
}

function regionOf({ start, end }: SourceRange): JsonObject {
  const region: Record<string, Json> = { startLine: start.line, startColumn: start.column };
  if (end.line > start.line || (end.line === start.line && end.column > start.column)) {
    region['endLine'] = end.line;
    region['endColumn'] = end.column;
  }
  return region;
}

/** A file name as a URI; stdin has a fixed name. Replaces lone surrogates, because no URI can have them. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin.yaml';
  const path = file
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}
