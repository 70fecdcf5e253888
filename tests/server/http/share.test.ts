import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_SHARED_BYTES } from '#contract/share.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const BOUNDARY = 'multipart/form-data; boundary=share';
const part = (name: string, value: string, file = '') =>
  `--share\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
const share = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/share`, { method: 'POST', body, headers: { 'content-type': BOUNDARY, ...headers }, redirect: 'manual' });
/** Returns the bytes that a page hands to its script. */
const bytesIn = (page: string) => Buffer.from(/<textarea[^>]*>([\w+/=]*)<\/textarea>/.exec(page)?.[1] ?? '', 'base64');
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('without the worker, the page hands the form to the device as it came, and the server keeps and runs nothing of it', async () => {
  const hostile = '</textarea><script>alert(1)</script>';
  const body = Buffer.from(`${part('text', hostile)}${part('picture', '\u0089PNG', '; filename="<script>.png"')}--share--\r\n`);
  const response = await share(body);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(page.match(/<script/g)).toEqual(['<script']);
  expect(page).toContain('<script src="/share.js"></script>');
  expect(sha(bytesIn(page))).toBe(sha(body));
  expect(page).toContain(`data-type="${BOUNDARY}"`);
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary="><script>"',
  `multipart/form-data; boundary=${'a'.repeat(100)}`,
  'text/plain',
])('a body of the type %s is refused with a page', async (type) => {
  const response = await share('hello', { 'content-type': type });
  expect(response.status).toBe(415);
  expect(await response.text()).toContain('This could not be read');
});

test('an empty body, and one without a type, are refused with a page', async () => {
  for (const response of [
    await share(''),
    await fetch(`${server.url}/share`, { method: 'POST' }),
    await fetch(`${server.url}/share`, { method: 'POST', body: new Uint8Array([1]) }),
  ]) {
    expect(response.status).toBe(415);
    expect(await response.text()).toContain('<a href="/chat">Open a new chat</a>');
  }
});

test.each(['cross-site', 'same-site'])('a %s page cannot share', async (site) => {
  const response = await share(`${part('text', 'buy')}--share--\r\n`, { 'sec-fetch-site': site });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('Share it again from the app');
});

test('a picture at the limit is handed over, and a larger one is refused, with and without its length', async () => {
  const fits = await share(Buffer.alloc(MAX_SHARED_BYTES, 1));
  expect(bytesIn(await fits.text())).toHaveLength(MAX_SHARED_BYTES);
  const large = Buffer.alloc(MAX_SHARED_BYTES + 100_000, 1);
  const streamed = {
    method: 'POST',
    headers: { 'content-type': BOUNDARY },
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit;
  for (const sent of [share(large), fetch(`${server.url}/share`, streamed)]) {
    // The server ends the connection instead of reading the rest.
    const response = await sent.catch(() => undefined);
    if (response) expect(response.status).toBe(413);
  }
});

test('a network that shares more often than people do is refused for a while', async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 25; count++) statuses.add((await share(`${part('text', 'a')}--share--\r\n`)).status);
  expect([...statuses]).toContain(429);
});
