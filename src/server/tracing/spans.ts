/** What a span says about its work. No field may hold a user's text, a secret or an address with a query. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `client`: a call of another service. Default: work of this process. */
  kind?: 'client' | 'server';
  attributes?: Attributes;
  /** Whether the work is traced only as a part of other work. */
  isPart?: boolean;
}

/** Runs work in a span, which ends with it. */
export interface Tracer {
  inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
}

let tracer: Tracer | undefined;

/** Sets where spans go; undefined ends tracing. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Runs work in a span. Without tracing, it costs a comparison. */
export const inSpan = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(name, options, work) : work();

/** Longest statement in a span, in characters. */
const MAX_STATEMENT = 1000;

/** Runs a statement of the database as a part of the work that is traced. Values stay out: parameters are not recorded, literals are masked. */
export function inStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  if (!tracer) return run();
  const statement = text.slice(0, MAX_STATEMENT);
  const operation = /^\s*(\w{1,20})/.exec(statement)?.[1]?.toUpperCase() ?? 'STATEMENT';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    // A text that is cut off has no closing quote.
    'db.query.text': statement.replace(/'(?:[^']|'')*(?:'|$)/g, '?').replace(/(?<![$\w"])\d+(?:\.\d+)?/g, '?'),
  };
  return tracer.inSpan(`database ${operation}`, { kind: 'client', attributes, isPart: true }, run);
}
