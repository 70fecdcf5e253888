import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/paths.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { routesOf } from '#tests/support/server/routes.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const KB = 1024;
const MB = KB * KB;

/** Field names of every body in the contract, so that each bad value reaches each route under a name it reads. */
const contract: Record<string, Record<string, unknown>> = import.meta.glob('/src/contract/**/*.ts', { eager: true });
const FIELDS = Object.values(contract)
  .flatMap((module) => Object.entries(module))
  .flatMap(([name, schema]) => (name.endsWith('Body') ? fieldsOf(schema as Schema) : []));

interface Schema {
  shape?: object;
  def: { innerType?: Schema };
}

/** Returns the field names of an object schema, optional or not. */
function fieldsOf({ shape, def }: Schema): string[] {
  if (shape) return Object.keys(shape);
  return def.innerType ? fieldsOf(def.innerType) : [];
}

const everyField = (value: unknown) => JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])));
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const JSON_TYPE = 'application/json';
const BAD_BODIES: [name: string, body: string | Uint8Array<ArrayBuffer>, type?: string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '42'],
  ['a string', '"text"'],
  ['an empty list', '[]'],
  ['a list of objects', '[{"email":"ada@example.com"}]'],
  ['half an object', '{"email":'],
  ['no JSON', 'email=ada@example.com'],
  ['two objects', '{}{}'],
  ['a comment', '/* {} */'],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 0xc0])],
  ['the key __proto__', everyField({}).replace('{', '{"__proto__":{"admin":true},')],
  ['the key constructor', everyField({}).replace('{', '{"constructor":{"prototype":{"admin":true}},')],
  ['fields set to null', everyField(null)],
  ['fields set to numbers', everyField(-1)],
  ['fields beyond any number', everyField(0).replaceAll(':0', ':1e999')],
  ['fields set to true', everyField(true)],
  ['fields set to lists', everyField([['a'], 1])],
  ['fields set to objects', everyField({ $ne: null, toString: 1 })],
  ['empty fields', everyField('')],
  ['blank fields', everyField('  \t\n')],
  ['fields of NUL', everyField('a\0b')],
  ['fields of half a character', everyField('\ud800')],
  ['fields of SQL', everyField("'; drop table users; --")],
  ['a field of 1 MB', everyField('x').replace('"x"', `"${'x'.repeat(MB)}"`)],
  ['fields of 10 KB', everyField('x'.repeat(10 * KB))],
  ['5 MB', `{"email":"${'x'.repeat(5 * MB)}"}`],
  ['lists nested deeply', everyField(0).replace(':0', `:${nested('[', ']', 20_000)}`)],
  ['objects nested deeply', everyField(0).replace(':0', `:${nested('{"a":', '}', 10_000).replace(':}', ':1}')}`)],
  ['plain text', '{}', 'text/plain'],
  ['XML', '<a/>', 'application/xml'],
  ['a form', 'email=a', 'application/x-www-form-urlencoded'],
  ['a broken multipart form', '--x\r\nContent-Disposition: form-data; name="email"', 'multipart/form-data; boundary=x'],
  ['a type that is none', '{}', ';;;'],
];

const BAD_VALUES = [
  '%00',
  '%ff',
  '%',
  '%zz',
  "' or 1=1 --",
  '{}',
  '__proto__',
  '-1',
  '1e99',
  '💥',
  '..%2f..%2fetc%2fpasswd',
  'x'.repeat(5000),
];

let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await startServer();
  ada = await server.signUp();
});
afterAll(() => server.close());

async function refusalOf(response: Response) {
  const text = await response.text();
  const shown = `${response.status} ${text.slice(0, 300)}`;
  expect(response.status, shown).toBeGreaterThanOrEqual(400);
  expect(response.status, shown).toBeLessThan(500);
  if (isPage(response.url) && response.headers.get('content-type')?.startsWith('text/html')) return;
  expect(apiError.parse(JSON.parse(text)), shown).toMatchObject({ status: response.status });
}

/** Mailed links open HTML pages of the server. */
const isPage = (url: string) => /\/auth\/(verify|reset)-link\//.test(url);
/** Calls that ignore their body. Those that delete, except the first, succeed for what does not exist. */
const WITHOUT_BODY = [
  'DELETE /api/auth/sessions',
  'DELETE /api/alerts/:userId/:id',
  'DELETE /api/push/subscriptions',
  'DELETE /api/notification/:userId/webhook',
  'DELETE /api/notification/:userId/telegram',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys/sign-in-options',
  'POST /api/auth/passkeys/confirm-options',
];

const isRead = (method: string) => method === 'GET';
const apiRoutes = () => routesOf(server.app).filter(({ path }) => path.startsWith(API_PREFIX));

test('the routes are found', () => {
  const found = apiRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(found).toEqual(expect.arrayContaining(['POST /api/auth/login', 'GET /api/auth/user/:userId', 'POST /api/coin-market/get-data']));
  expect(FIELDS).toEqual(expect.arrayContaining(['email', 'password', 'refreshToken', 'userId', 'sortType']));
  expect(BAD_BODIES.length).toBeGreaterThanOrEqual(20);
});

/** `npm test` sends each body to every second route, `npm run nightly` to all of them. */

describe('every route that takes a body', () => {
  test.each(BAD_BODIES)('refuses %s', async (name, body, type = JSON_TYPE) => {
    const place = BAD_BODIES.findIndex(([bad]) => bad === name);
    const routes = apiRoutes().filter((route) => !isRead(route.method));
    for (const { method, path } of routes.filter((_, route) => isNightly || (route + place) % 2 === 0)) {
      if (WITHOUT_BODY.includes(`${method} ${path}`)) continue;
      const url = server.url + path.replaceAll(/:\w+/g, ada.user.id);
      // One at a time, so that a crash is attributed to its request.
      const response = await fetch(url, { method, headers: { authorization: ada.authorization, 'content-type': type }, body });
      await refusalOf(response);
    }
  });
});

describe('every route with a parameter', () => {
  test.each(BAD_VALUES)('survives %s', async (value) => {
    for (const { method, path } of apiRoutes().filter((route) => route.path.includes(':'))) {
      const url = server.url + path.replaceAll(/:\w+/g, value);
      const response = await fetch(url, { method, headers: { authorization: ada.authorization } });
      // A search may answer with no results; all other routes refuse.
      if (response.status === 200 && isRead(method)) await response.text();
      else await refusalOf(response);
    }
  });
});

test.each([
  ['GET', '/api'],
  ['GET', '/api/nothing'],
  ['DELETE', '/api/auth/login'],
  ['PUT', '/api/coin-market/get-data/'],
  ['POST', '/nothing'],
])('%s %s is not there', async (method, path) => {
  const response = await fetch(server.url + path, { method });
  expect(response.status).toBe(404);
  await refusalOf(response);
});

test.each(['Bearer', 'Bearer ', 'Basic YTpi', 'x', `Bearer ${'x'.repeat(8 * KB)}`, 'Bearer a.b.c d'])(
  'the Authorization header %s is refused',
  async (authorization) => {
    const response = await fetch(`${server.url}/api/auth/user/${ada.user.id}`, { headers: { authorization } });
    expect(response.status).toBe(401);
    await refusalOf(response);
  },
);

test.each([
  ['no HTTP at all', '\x16\x03\x01\x02\r\n\r\n', 400],
  ['a header that never ends', `GET / HTTP/1.1\r\nx: ${'x'.repeat(64 * KB)}`, 431],
])('%s is answered in the one shape of errors', async (_name, bytes, status) => {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined).write(bytes);
  const answer = Buffer.concat(await socket.toArray()).toString();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(apiError.parse(JSON.parse(body))).toMatchObject({ status });
});

test('the server still works after all of it', async () => {
  expect((await server.signUp()).user.first_name).toBe('Ada');
  const own = await fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization: ada.authorization } });
  expect(own.status).toBe(200);
});
