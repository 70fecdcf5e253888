import { expect, test } from 'vitest';
import { apiUrls, streamUrl } from '#server/ports/exchange/bybit/hosts.ts';

test.each([
  ['global', 'https://api.bybit.com'],
  ['eu', 'https://api.bybit.eu'],
  ['nl', 'https://api.bybit.nl'],
  ['tr', 'https://api.bybit.tr'],
  ['kz', 'https://api.bybit.kz'],
  ['ge', 'https://api.bybitgeorgia.ge'],
  ['ae', 'https://api.bybit.ae'],
  ['id', 'https://api.bybit.id'],
  ['jp', 'https://api.manepa.jp'],
] as const)('the site %s is asked first, and then each other one', (region, url) => {
  const urls = apiUrls({ region, testnet: false, baseUrl: undefined });
  expect(urls[0]).toBe(url);
  expect(new Set(urls).size).toBe(9);
});

test('the test network and another address have no other sites', () => {
  const of = (region: 'global' | 'jp', baseUrl?: string) => apiUrls({ region, testnet: true, baseUrl });
  expect(of('global')).toEqual(['https://api-testnet.bybit.com']);
  expect(of('jp')).toEqual(['https://api-testnet.manepa.jp']);
  expect(of('global', 'https://api-demo.bybit.com')).toEqual(['https://api-demo.bybit.com']);
});

test.each([
  ['https://api.bybit.com', 'wss://stream.bybit.com/v5/private'],
  ['https://api-demo.bybit.com', 'wss://stream-demo.bybit.com/v5/private'],
  ['https://api-testnet.bybit.com', 'wss://stream-testnet.bybit.com/v5/private'],
  ['https://api.bybitgeorgia.ge', 'wss://stream.bybitgeorgia.ge/v5/private'],
  ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080/v5/private'],
])('the streams of %s are at %s', (api, stream) => {
  expect(streamUrl(api, 'private')).toBe(stream);
  expect(streamUrl(api, 'market')).toBe(stream.replace('/v5/private', '/v5/public/linear'));
});
