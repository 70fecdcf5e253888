/** Replaces control characters, because users wrote some of the text. */
const visible = (text: string) => text.replace(/[^\P{C}\n\t]/gu, '�');

const written = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return visible(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\n', '\n  ');
};

/** Formats rows for a terminal: one line per field, an empty line between rows. */
export const show = (rows: readonly Record<string, unknown>[]): string =>
  rows.length === 0
    ? 'No results.'
    : rows
        .map((row) =>
          Object.entries(row)
            .map(([name, value]) => `${name}: ${written(value)}`)
            .join('\n'),
        )
        .join('\n\n');
