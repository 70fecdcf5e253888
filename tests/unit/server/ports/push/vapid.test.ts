import { expect, test } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { createVapidSigner, makeVapidKeys, publicKeyOf } from '#server/ports/push/vapid.ts';
import { checkVapid } from '#tests/support/push/vapid.ts';

const subject = 'mailto:admin@your-domain.com';
const ORIGIN = 'https://push.example.com';

test('a made pair fits, and other text is no private key', () => {
  const { publicKey, privateKey } = makeVapidKeys();
  expect(publicKeyOf(privateKey)).toBe(publicKey);
  expect(publicKeyOf('A'.repeat(43))).toBeUndefined();
  expect(publicKeyOf('')).toBeUndefined();
});

test('a service gets a token for itself, which lasts until the next one', async () => {
  const keys = makeVapidKeys();
  const sign = createVapidSigner({ keys: async () => keys, subject });
  const now = Date.UTC(2026, 0, 1);
  const first = await sign(ORIGIN, now);
  expect(checkVapid(first, ORIGIN, now)).toMatchObject({ key: keys.publicKey, claims: { sub: subject } });
  expect(() => checkVapid(first, 'https://other.example.com', now)).toThrow('audience');
  expect(await sign(ORIGIN, now + 5 * HOUR)).toBe(first);
  expect(() => checkVapid(first, ORIGIN, now + 6 * HOUR)).not.toThrow();
  const next = await sign(ORIGIN, now + 7 * HOUR);
  expect(next).not.toBe(first);
  expect(() => checkVapid(next, ORIGIN, now + 7 * HOUR)).not.toThrow();
});

test('a clock that was set back gets a token of its time', async () => {
  const keys = makeVapidKeys();
  const sign = createVapidSigner({ keys: async () => keys, subject });
  const now = Date.UTC(2026, 0, 1);
  await sign(ORIGIN, now + 100 * HOUR);
  expect(() => checkVapid('vapid', ORIGIN, now)).toThrow();
  const back = await sign(ORIGIN, now);
  expect(checkVapid(back, ORIGIN, now).claims.exp).toBe((now + 12 * HOUR) / 1000);
});
