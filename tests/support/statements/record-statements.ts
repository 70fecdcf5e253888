import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Counts of parameters differ from call to call, the plan does not. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/(\(?\$\)?,? ?)+/g, '$ ')
    .replaceAll(/\s+/g, ' ');

/** Records the statements that this process sends to PostgreSQL until `stop`, which returns the last one of each shape. */
export function recordStatements(): { stop(): Statement[] } {
  const { query } = pg.Client.prototype;
  const found = new Map<string, Statement>();
  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  pg.Client.prototype.query = function record(this: pg.Client, ...args: any[]): any {
    const [asked, values] = args;
    const text: string = typeof asked === 'string' ? asked : (asked?.text ?? '');
    const given = Array.isArray(values) ? values : (asked?.values ?? []);
    if (/^\s*(select|insert|update|delete|with)\b/i.test(text)) found.set(shapeOf(text), { text, values: given });
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return (query as any).apply(this, args);
  };
  return {
    stop() {
      pg.Client.prototype.query = query;
      return [...found.values()];
    },
  };
}
