const widths = (rows: readonly string[][]) =>
  (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));

/** Returns rows as lines with aligned columns. */
export function plainTable(rows: readonly string[][]): string[] {
  const columns = widths(rows);
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(columns[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns rows as a Markdown table. The first row is its head. */
export function markdownTable([head = [], ...body]: readonly string[][]): string[] {
  const safe = [head, ...body].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const columns = widths(safe);
  const line = (row: readonly string[], fill = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(columns[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(safe[0] ?? []),
    line(
      columns.map(() => ''),
      '-',
    ),
    ...safe.slice(1).map((row) => line(row)),
  ];
}

/**
 * Replaces what stands between the comments `bench:NAME` and `/bench:NAME` of a Markdown text.
 * @throws when the text has no such comments
 */
export function withSection(text: string, name: string, lines: readonly string[]): string {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in the text`);
  return `${text.slice(0, from + start.length)}\n${lines.join('\n')}\n${text.slice(to)}`;
}
