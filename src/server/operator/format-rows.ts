/** Users wrote some of this: what a terminal would obey is replaced. */
const visible = (text: string) => text.replace(/[^\P{C}\n\t]/gu, '�');

const written = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return visible(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\n', '\n  ');
};

/** Rows for people: a line for each field, an empty one between rows. */
export const show = (rows: readonly Record<string, unknown>[]): string =>
  rows.length === 0
    ? 'Nothing.'
    : rows
        .map((row) =>
          Object.entries(row)
            .map(([name, value]) => `${name}: ${written(value)}`)
            .join('\n'),
        )
        .join('\n\n');
