import { expect, test } from 'vitest';
import { readTraceparent } from '#server/tracing/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

test.each([
  [`00-${TRACE}-${PARENT}-01`, 1],
  [`00-${TRACE}-${PARENT}-00`, 0],
  [`00-${TRACE}-${PARENT}-ff`, 1],
  [`cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`, 1],
])('%s names the parent', (header, traceFlags) => {
  expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: PARENT, traceFlags, isRemote: true });
});

test.each([
  undefined,
  '',
  'x',
  `ff-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ` 00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-${'a'.repeat(8000)}`,
  [`00-${TRACE}-${PARENT}-01`],
])('%j names none', (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
