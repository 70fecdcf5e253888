import { expect, test } from 'vitest';
import { readAlertText } from '#client/app/palette/read-alert-text.ts';

test.each([
  ['alert btc 61250', { query: 'btc', price: 61_250, side: undefined }],
  ['Alert BTC below 55,000.5', { query: 'BTC', price: 55_000.5, side: 'below' }],
  ['bitcoin cash alert above $700', { query: 'bitcoin cash', price: 700, side: 'above' }],
  ['alert', { query: '', price: undefined, side: undefined }],
  ['alert for eth', { query: 'eth', price: undefined, side: undefined }],
  ['alert 1inch', { query: '1inch', price: undefined, side: undefined }],
  ['alert btc 61.250,50', { query: 'btc 61.250,50', price: undefined, side: undefined }],
  ['alert btc 0', { query: 'btc 0', price: undefined, side: undefined }],
])('%j asks for %j', (text, expected) => {
  expect(readAlertText(text)).toEqual(expected);
});

test.each(['', 'btc', 'alerting', 'btc 61250'])('%j asks for no alert', (text) => {
  expect(readAlertText(text)).toBeUndefined();
});
