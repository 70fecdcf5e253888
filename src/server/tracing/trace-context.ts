/** The parent of a request's span, in another process. */
export interface ParentSpan {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote: true;
}

/** Version, trace, parent and flags. Versions after 00 may append fields; ff is forbidden. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 256;
const SAMPLED = 1;

/** Reads a `traceparent` header as W3C Trace Context demands; undefined for any other text. */
export function readTraceparent(header: string | string[] | undefined): ParentSpan | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(header) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16) & SAMPLED, isRemote: true };
}
