// Markdown tables: columns are pairs of a heading and what a row shows there.

/** A row with a `reason` shows it in place of its figures. */
export function table(columns, rows) {
  const heading = columns.map(([title]) => title);
  const body = rows.map((row) =>
    columns.map(([, show, always], at) =>
      row.reason !== undefined && at > 0 && always !== true ? (at === 1 ? row.reason : '') : show(row),
    ),
  );
  return [heading, heading.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const seconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
export const times = (value) => `${value.toFixed(2)} ×`;
export const nameOf = ({ name, version }) => (version === undefined ? name : `${name} ${version}`);
