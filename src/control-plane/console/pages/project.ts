// The page of a project: its branches as a tree, its computes and its operations.
import { head, html, pager, section, trail, type Markup, pill } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { branchesOf, pageOf, projectView, type ProjectView, pathOfBranch } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { computesTable, deletedPart, operationsTable } from './tables.ts';
import { plural } from '../../../base/text/words.ts';
import type { Branch } from '../../../api/index.ts';
import { groupBy } from '../../../base/group-by.ts';
import { branchStatus, dateWords } from '../words.ts';

export function projectPage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const { id } = view.project;
  const values = { project_id: id, cursor: visit.url.searchParams.get('cursor') ?? '' };
  const list = pageOf(visit, 'listProjectOperations', values, ({ operations }) => operations);
  const deleted = branchesOf(visit, id, { include_deleted: 'true' })
    .filter(({ recovery }) => recovery !== undefined)
    .map(({ id, name, recovery }) => ({ ...recovery, id, name }));
  return {
    title: view.project.name,
    current: 'projects',
    main: headOf(view.project),
    live: html`${section('branches', 'Branches', html`<div class="panel">${branchTree(view)}</div>`)}
    ${deletedPart('Deleted branches', deleted, (branch) => ({ project_id: id, branch_id: branch }))}
    ${section('computes', 'Computes', computesTable(view, view.computes))}
    ${section(
      'operations',
      'Operations',
      html`${operationsTable(view, list.items)} ${pager('operations', visit.url, list.next)}`,
    )}`,
  };
}

function headOf({ id, name, region_id: region, pg_version: version }: ProjectView['project']): Markup {
  const facts = html`<p class="facts">
    <code>${id}</code> <span>${region ?? ''}</span> <span>Postgres ${version ?? ''}</span>
  </p>`;
  return html`${trail([['/', 'Projects']])} ${head(name, facts, [requestLinks({ project_id: id })])}`;
}

function branchTree(view: ProjectView): Markup {
  const known = new Set(view.branches.map(({ id }) => id));
  // A branch whose parent is deleted appears at the top of the tree.
  const below = groupBy(view.branches, ({ parent_id: parent }) =>
    typeof parent === 'string' && known.has(parent) ? parent : '',
  );
  const listOf = (parent: string): Markup | null => {
    const branches = below.get(parent)?.toSorted((a, b) => Number(b.default) - Number(a.default));
    if (branches === undefined) return null;
    return html`<ul>
      ${branches.map((branch) => html`<li id="in-${branch.id}">${node(view, branch)} ${listOf(branch.id)}</li>`)}
    </ul>`;
  };
  return html`<div class="tree">${listOf('') ?? html`<p class="empty">This project has no branches.</p>`}</div>`;
}

function node({ computes }: ProjectView, branch: Branch): Markup {
  const { id, name, expires_at: expires } = branch;
  const expiry = typeof expires === 'string' ? pill({ label: `Expires ${dateWords(expires)}`, tone: 'quiet' }) : null;
  const count = computes.filter(({ branch_id: branchId }) => branchId === id).length;
  const status = branchStatus(branch);
  return html`<div class="node" id="branch-${id}" data-say="${`Branch ${name}: ${status?.label ?? 'Ready'}`}">
    <a class="name" href="${pathOfBranch(branch)}">${name}</a>
    <code class="faint">${id}</code>
    <span class="pills">${branchMarks(branch)} ${expiry} ${status === undefined ? null : pill(status)}</span>
    <span class="faint">${count === 0 ? 'No compute' : plural(count, 'compute')}</span>
  </div>`;
}

export function branchMarks(branch: Branch): Markup {
  return html`${branch.default ? pill({ label: 'Default', tone: 'good' }) : null}
  ${branch.protected ? pill({ label: 'Protected', tone: 'waiting' }) : null}`;
}
