import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiError } from '#contract/errors.ts';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const frame = (query: string) => fetch(`${server.url}${CHART_FRAME_PATH}${query}`, { headers: { accept: 'text/html' } });

describe('the page of the charting provider', () => {
  test('may be framed by the app alone, runs without an origin, and reaches the provider and nothing else', async () => {
    const response = await frame('?symbol=BTCUSD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    const script = page.match(/<script>(.*)<\/script>/s)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')?.split(';')).toEqual([
      'sandbox allow-scripts allow-popups',
      "default-src 'none'",
      `script-src 'sha256-${hash}' https://s3.tradingview.com`,
      "style-src 'unsafe-inline'",
      'frame-src https://www.tradingview-widget.com https://s.tradingview.com',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(page).toContain('https://s3.tradingview.com/external-embedding/embed-widget-advanced-chart.js');
  });

  test('never holds what the query says', async () => {
    const [bitcoin, other] = [await frame('?symbol=BTCUSD'), await frame('?symbol=1INCHUSD&x=%3Cscript%3E')];
    expect(await bitcoin.text()).toBe(await other.text());
  });

  test.each([
    '',
    '?symbol=',
    '?symbol=USD',
    '?symbol=btcusd',
    '?symbol=BTC',
    '?symbol=BTCUSDT',
    '?symbol=BINANCE:BTCUSD',
    `?symbol=${'A'.repeat(16)}USD`,
    '?symbol=BTCUSD%0A',
    '?symbol=%3Cscript%3EUSD',
    '?symbol=BTCUSD&symbol=ETHUSD',
    '?symbol[x]=BTCUSD',
  ])('is not there for %j', async (query) => {
    const response = await frame(query);
    expect(response.status).toBe(400);
    expect(apiError.parse(await response.json())).toMatchObject({ status: 400, code: 'validation' });
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });
});
