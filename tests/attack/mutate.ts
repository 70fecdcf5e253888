import type { RawRequest } from './raw-request.ts';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** JSON texts to replace a field's value, including numbers and strings that no serializer writes. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '-1',
  '0',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\u2028\\r\\n"',
  '{"length":{"toString":null}}',
  '{"toString":null,"valueOf":null}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"length":1e9}',
  '[[[[[[]]]]]]',
  '{"$gt":""}',
  `"'; drop table users; --"`,
  '"../../etc/passwd"',
  '"http://169.254.169.254/latest"',
  '"<script>alert(1)</script>"',
  '"{{7*7}}"',
  '"%00%0d%0aSet-Cookie: a=b"',
  `"${'a'.repeat(8_192)}"`,
  `"${'@.'.repeat(4_096)}"`,
  `"${'\\u0301'.repeat(2_000)}"`,
  `[${'1,'.repeat(5_000)}1]`,
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  `"${'x'.repeat(100_000)}"`,
];
const PARTS: readonly string[] = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '..%2f..%2f',
  '%2e%2e',
  '%252e',
  "'",
  '{}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e99',
  '%F0%9F%92%A5',
  '%E2%80%AE',
  '%0d%0a',
  'a'.repeat(290),
  'a'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  ' ',
  '%20',
  '*',
  ';',
  ':id',
];
const QUERIES: readonly string[] = [
  '?a=1&a=2',
  '?limit=1e9',
  '?limit[]=1',
  '?limit=-1',
  '?__proto__[a]=1',
  '?%00=1',
  '?convert=%ff',
  '?before=1&before=2',
  '?cursor=%7B%7D',
  `?a=${'b'.repeat(4_000)}`,
  '??',
  '?&&&&',
  '?=',
  '?limit=NaN',
  '?user_id[]=1',
  `?${'a&'.repeat(1_500)}`,
];
const HEADERS: readonly Record<string, string | string[]>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': '' },
  { 'content-type': ';;;' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': `multipart/form-data; boundary=${'x'.repeat(500)}` },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, br, br' },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(8_000)}` },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': '\u00e9\u00e9' },
  { 'if-none-match': `"${'x'.repeat(5_000)}"` },
  { 'if-none-match': '*' },
  { range: 'bytes=0-18446744073709551615' },
  { 'accept-encoding': 'zstd;q=nope' },
  { accept: '\\' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { host: 'evil.example' },
  { host: '' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-for': `${'1.1.1.1, '.repeat(500)}1.1.1.1` },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'gopher' },
  { cookie: 'a=b; '.repeat(300) },
  { 'user-id': '1' },
  { 'user-agent': `${'('.repeat(4_000)}` },
  { 'x-http-method-override': 'DELETE' },
  { expect: '100-continue' },
  { connection: 'close' },
  { 'x-big': 'y'.repeat(20_000) },
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'LOCK'] as const;

/** Mistakes in a request. */
const MUTATIONS: readonly ((request: RawRequest, random: Random) => RawRequest)[] = [
  // A value of another type or size, twice as likely as the others.
  withValue,
  withValue,
  (request, random) => withBody(request, bodyText(request).slice(0, Math.floor(random() * bodyText(request).length))),
  (request, random) => ({ ...request, body: Buffer.concat([request.body ?? Buffer.alloc(0), garbage(random)]) }),
  (request, random) => ({ ...request, body: garbage(random) }),
  (request) => withBody(request, bodyText(request).replace('{', '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":null,')),
  (request, random) =>
    withBody(request, bodyText(request).replace(/"(\w+)":/, `"${pick(random, ['', '\\u0000', 'toString', 'length'])}":`)),
  (request, random) => ({ ...request, method: pick(random, METHODS) }),
  (request, random) => ({ ...request, path: `${request.path.split('?')[0]}${pick(random, QUERIES)}` }),
  (request, random) => ({ ...request, headers: { ...request.headers, ...pick(random, HEADERS) } }),
  (request, random) => {
    const parts = request.path.split('/');
    parts[2 + Math.floor(random() * Math.max(1, parts.length - 2))] = pick(random, PARTS);
    return { ...request, path: parts.join('/') };
  },
  (request, random) => ({
    ...request,
    path: `${'/'.repeat(1 + Math.floor(random() * 3))}${request.path.slice(1)}${pick(random, ['/', '//', '/.', '#a', ''])}`,
  }),
];

/** Puts one to three mistakes into a valid request. */
export function mutate(request: RawRequest, random: Random): RawRequest {
  let changed = request;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) changed = pick(random, MUTATIONS)(changed, random);
  return changed;
}

const bodyText = ({ body }: RawRequest): string => body?.toString('utf8') ?? '';
const withBody = (request: RawRequest, text: string): RawRequest => ({ ...request, body: Buffer.from(text) });
const garbage = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: 1 + Math.floor(random() * 200) }, () => Math.floor(random() * 256)));

/** Replaces one value of a JSON body, or the whole body. */
function withValue(request: RawRequest, random: Random): RawRequest {
  const values = [...bodyText(request).matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+(\.\d+)?|true|false|null)/g)];
  const chosen = values.length > 0 ? pick(random, values) : undefined;
  const value = pick(random, VALUES);
  if (!chosen) return withBody(request, value);
  const text = bodyText(request);
  return withBody(request, `${text.slice(0, chosen.index + 1)}${value}${text.slice(chosen.index + chosen[0].length)}`);
}
