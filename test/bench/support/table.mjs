// Markdown tables: columns are pairs of a heading and what a row shows there.

export function table(columns, rows) {
  const heading = columns.map(([title]) => title);
  const body = rows.map((row) => columns.map(([, show]) => show(row)));
  return [heading, heading.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const seconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
export const times = (value) => `${value.toFixed(2)} ×`;
export const nameOf = ({ name, version }) => `${name} ${version}`;
