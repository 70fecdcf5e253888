import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_PREFIX } from '#contract/paths.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { plausibleBody } from '#tests/support/server/plausible-body.ts';
import { routesOf } from '#tests/support/server/routes.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** JSON texts, because JSON.stringify cannot write some of them. */
const SHAPES: Record<string, string> = {
  'a length of its own': '{"length":{"toString":null}}',
  'a text-like object': '{"length":3,"0":"a","trim":1,"toString":null,"valueOf":null}',
  'a list-like object': '{"length":1e9,"map":1,"toJSON":1}',
  __proto__: '{"__proto__":{"toString":null,"email":"a@b.c"}}',
  constructor: '{"constructor":{"prototype":{"toString":null}}}',
  hasOwnProperty: '{"hasOwnProperty":null,"then":{}}',
  'nested lists': '[[[["a"]]]]',
  'a long list': `[${'0,'.repeat(2000)}0]`,
  'huge nesting': '['.repeat(4000) + ']'.repeat(4000),
  'a number': '42',
  'a huge number': '1e400',
  'a tiny number': '-1e-400',
  'not safe': '9007199254740993',
  true: 'true',
  null: 'null',
  nothing: '""',
  'half a character': '"\\ud800"',
  'halves the wrong way round': '"a\\udc00\\ud800b"',
  NUL: '"a\\u0000b"',
  'right to left': '"\\u202e\\u2028\\ufeff"',
  'SQL and quotes': '"\'\\";--$1%s{{}}"',
  'a long text': JSON.stringify('x'.repeat(20_000)),
};

let server: TestServer;
let ada: SignedUp;
const lines: string[] = [];
const logged = () => lines.join('').slice(-1500);

beforeAll(async () => {
  server = await startServer({
    env: { TRUST_PROXY: 'on', LOG_LEVEL: 'error' },
    logTo: { write: (line) => lines.push(line) },
  });
  ada = await server.signUp();
});
afterAll(() => server.close());

/** `npm test` sends each shape to every fourth route, `npm run nightly` to all of them. */
const isDue = (shape: number, route: number) => isNightly || (route + shape) % 4 === 0;

const writingRoutes = () => routesOf(server.app).filter(({ method, path }) => path.startsWith(API_PREFIX) && method !== 'GET');

/** Each request has its own address, so that no rate limit hides a failure. */
let sent = 0;
const headers = (more: Record<string, string> = {}) => ({
  authorization: ada.authorization,
  'x-forwarded-for': `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent++ & 255}`,
  'idempotency-key': randomUUID(),
  ...more,
});

async function survives(what: string, url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  const text = await response.text();
  expect(response.status, `${what}: ${text.slice(0, 200)} ${logged()}`).not.toBe(500);
}

test.each(Object.entries(SHAPES))('no route answers 500 to a field that is %s', async (name, shape) => {
  const fields = Object.keys(plausibleBody(''));
  const shapes = Object.keys(SHAPES);
  for (const { method, path } of writingRoutes().filter((_, route) => isDue(shapes.indexOf(name), route))) {
    const url = server.url + path.replaceAll(/:\w+/g, ada.user.id);
    const entries = Object.entries(plausibleBody(ada.user.id));
    // All fields at once, then single fields, different ones in each round.
    const few = fields.filter((_, at) => (at + sent) % 40 === 0);
    const odd = (isOdd: (field: string) => boolean) =>
      `{${entries.map(([field, value]) => `${JSON.stringify(field)}:${isOdd(field) ? shape : JSON.stringify(value)}`).join()}}`;
    for (const body of [odd(() => true), ...few.map((field) => odd((each) => each === field))])
      await survives(`${method} ${path}, ${name}`, url, { method, body, headers: headers({ 'content-type': 'application/json' }) });
  }
});

const PART = 'content-disposition: form-data; name=';
const form = (...parts: string[]) => `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;
const FORMS: Record<string, string> = {
  'the key __proto__': form(`${PART}"__proto__"\r\n\r\nx`),
  'the key toString': form(`${PART}"toString"\r\n\r\nx`, `${PART}"constructor"\r\n\r\nx`),
  'a file for a text': form(`${PART}"name"; filename="a"\r\n\r\nx`, `${PART}"user_id"; filename="b"\r\n\r\nx`),
  'a text for a file': form(`${PART}"image"\r\n\r\nx`, `${PART}"profile_picture"\r\n\r\nx`, `${PART}"files"\r\n\r\nx`),
  'a field twice': form(`${PART}"id"\r\n\r\na`, `${PART}"id"\r\n\r\nb`),
  'no name': form('content-disposition: form-data\r\n\r\nx', 'content-type: text/plain\r\n\r\nx'),
  NUL: form(`${PART}"archiveTitle"\r\n\r\na\0b`),
  'bytes that are no text': form(`${PART}"archiveTitle"\r\n\r\n\xff\xfe`),
  'JSON for a part': form(`${PART}"archiveTitle"\r\ncontent-type: application/json\r\n\r\n{"length":{"toString":null}}`),
  'broken JSON for a part': form(`${PART}"archiveTitle"\r\ncontent-type: application/json\r\n\r\n{`),
  'no end': `--x\r\n${PART}"name"\r\n\r\nx`,
  nothing: '',
};

test.each(Object.entries(FORMS))('no route answers 500 to a form with %s', async (name, body) => {
  const shape = Object.keys(FORMS).indexOf(name);
  for (const { method, path } of writingRoutes().filter((_, route) => isDue(shape, route))) {
    const url = server.url + path.replaceAll(/:\w+/g, ada.user.id);
    for (const type of ['multipart/form-data; boundary=x', sent % 2 ? 'multipart/form-data' : 'application/x-www-form-urlencoded'])
      await survives(`${method} ${path}, ${name}`, url, {
        method,
        body: Buffer.from(body, 'latin1'),
        headers: headers({ 'content-type': type }),
      });
  }
});

const QUERIES = [
  'limit=1&limit=2&limit=3',
  'limit=&before=',
  'limit[]=1&limit[a]=2',
  '__proto__=1&constructor=2&toString=3',
  `${'a=1&'.repeat(1500)}`,
  `limit=${'9'.repeat(5000)}`,
  'convert=%00&convert=%ud800',
  'user_id=a&user_id=b',
  '%ff=%fe',
  '&&==&=',
];
const IDS = ['%00', '%ff', '%ed%a0%80', '__proto__', 'toString', '%2e%2e%2f', "'", '\u{1f4a5}', 'x'.repeat(290)];

test('no route answers 500 to an odd query, parameter or header', { timeout: 240_000 }, async () => {
  for (const [route, { method, path }] of routesOf(server.app).entries()) {
    const due = <T>(items: readonly T[]): T[] => items.filter((_, shape) => isDue(shape, route));
    const init = (more?: Record<string, string>) => ({ method, headers: headers(more) });
    const own = server.url + path.replaceAll(/:\w+\??/g, ada.user.id);
    for (const query of due(QUERIES)) await survives(`${method} ${path}?${query.slice(0, 50)}`, `${own}?${query}`, init());
    for (const id of path.includes(':') ? due(IDS) : [])
      await survives(`${method} ${path} ${id}`, server.url + path.replaceAll(/:\w+\??/g, id), init());
    for (const header of due(['idempotency-key', 'user-id', 'if-none-match', 'content-type', 'x-forwarded-for']))
      for (const value of ['__proto__', ';"=', 'x'.repeat(4000)])
        await survives(`${method} ${path} ${header}: ${value.slice(0, 20)}`, own, init({ [header]: value }));
  }
});

test.each(['login', 'register', 'forgot-password', 'verify-otp'])('an e-mail of 8 or 100 KB to %s is refused at once', async (route) => {
  for (const size of [8 * 1024, 100 * 1024]) {
    const body = { ...plausibleBody(ada.user.id), email: `${'@.'.repeat(size / 2)} x` };
    const begin = performance.now();
    const response = await server.post(`/auth/${route}/`, body, headers());
    expect(await response.json()).toMatchObject({ status: 400, detail: { fields: { email: 'At most 254 characters' } } });
    // A regular expression that backtracks takes over a minute for 8 KB.
    expect(performance.now() - begin).toBeLessThan(5000);
  }
});

test('a socket survives the same shapes', async () => {
  const socket = io(server.url, { transports: ['websocket'], query: { token: ada.tokens.accessToken }, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  for (const shape of Object.values(SHAPES).filter((text) => text.length < 5000)) {
    const value: unknown = JSON.parse(shape);
    socket.emit('watch_coins', value);
    socket.emit('watch_coins', [value]);
    socket.emit('chat_message', value);
    const ack: unknown = await socket
      .timeout(25_000)
      .emitWithAck('chat_message', { client_id: value, message: value, user_id: value, chat_id: value });
    expect(ack, logged()).toMatchObject({ error: { status: expect.not.stringMatching('500') } });
  }
  expect(socket.connected).toBe(true);
  socket.disconnect();
});

test('nothing of it reached the log as our failure', () => expect(lines).toEqual([]));
