// The log: the newest requests to the API and the newest changes of the ledger, as far as the key may see them.
import type { RequestLine } from '../../api/request-log.ts';
import type { LedgerEntry } from '../../core/store.ts';
import { head, html, pill, section, table, time, type Row } from '../page/parts.ts';
import type { Page, Visit } from '../visit.ts';
import { durationWords, type Status } from '../words.ts';

const SHOWN = 50;
/** The number of newest ledger entries among which the page searches for entries that the key may see. */
const LOOKED_AT = 1000;

export function logPage(visit: Visit): Page {
  const { controlPlane, keyId, requests } = visit;
  const { engine } = controlPlane;
  const key = engine.live.keys.get(keyId);
  const isOfAccount = key !== undefined && key.orgId === undefined && key.projectId === undefined;
  const mayRead = ({ actor, projectId }: LedgerEntry): boolean =>
    isOfAccount || actor === keyId || (projectId !== undefined && [undefined, projectId].includes(key?.projectId));
  const lines = requests.filter((line) => isOfAccount || line.key_id === keyId);
  const newest = controlPlane.ledger(Math.max(0, engine.meta.nextLedgerSeq - 1 - LOOKED_AT), LOOKED_AT);
  const changes = newest.filter(mayRead);
  return {
    title: 'Log',
    current: 'log',
    main: head('Log'),
    live: html`${section('requests', 'Requests', table('Requests, newest first', newestOf(lines).map(requestRow)))}
    ${section('ledger', 'Ledger', table('Changes, newest first', newestOf(changes).map(changeRow)))}`,
  };
}

function newestOf<T>(oldestFirst: readonly T[]): T[] {
  return oldestFirst.slice(-SHOWN).reverse();
}

function requestRow(line: RequestLine, at: number): Row {
  return {
    id: `request-${at}`,
    cells: {
      Request: html`<code>${line.method} ${line.path}</code>
        ${line.query.length === 0 ? null : html`<span class="faint line">?${line.query.join(', ')}</span>`}`,
      Status: html`${pill(statusOf(line))}
      ${line.fault === undefined ? null : html`<span class="faint line">${line.fault}</span>`}`,
      Duration: html`${durationWords(line.duration_ms)}`,
      Key: html`<code class="whole">${line.key_id ?? '–'}</code>`,
      Client: html`${line.address} <span class="faint line">${line.user_agent}</span>`,
      Date: time(line.at),
    },
  };
}

function statusOf({ status }: RequestLine): Status {
  if (status === null) return { label: 'No reply', tone: 'bad' };
  return { label: String(status), tone: status < 400 ? 'good' : status < 500 ? 'waiting' : 'bad' };
}

function changeRow(entry: LedgerEntry): Row {
  return {
    id: `change-${entry.seq}`,
    cells: {
      Resource: html`<span class="name">${entry.kind} ${entry.id}</span>`,
      Change: html`${changeWords(entry)}`,
      Request: html`<code>${entry.verb} ${entry.path}</code>`,
      Key: html`<code class="whole">${entry.actor ?? '–'}</code>`,
      Date: time(entry.at),
    },
  };
}

function changeWords({ before, after, operations, restarted, droppedConnections, lost = [] }: LedgerEntry): string {
  const [old, now] = [before, after] as (Readonly<Record<string, unknown>> | null)[];
  const isChanged = (name: string): boolean => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]);
  const words = !old
    ? 'created'
    : !now
      ? 'deleted'
      : Object.keys({ ...old, ...now })
          .filter(isChanged)
          .join(', ');
  return [
    words,
    ...(operations.length > 0 ? [`operations: ${operations.length}`] : []),
    ...(restarted ? ['restarted'] : []),
    ...(droppedConnections ? ['connections dropped'] : []),
    ...lost.map(({ kind, id }) => `data deleted: ${kind} ${id}`),
  ].join('; ');
}
