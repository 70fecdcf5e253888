import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { pushKeys } from '#server/db/schema/operations.ts';
import { makeVapidKeys } from '#server/ports/push/vapid.ts';
import { openVapidKeys, resealVapidKeys } from '#server/settings/vapid-keys.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const [OLD, NEW] = ['old-'.repeat(10), 'new-'.repeat(10)];
let open: TestDb;
beforeAll(async () => {
  open = await openTestDb();
});
afterAll(() => open.close());

const read = (secretsKey: string, previousSecretsKey?: string) =>
  openVapidKeys(open.db, { secretsKey, previousSecretsKey, push: { subject: '', keys: undefined } })();

test('processes that start at once have one pair, which is encrypted in the database', async () => {
  const pairs = await Promise.all(Array.from({ length: 5 }, () => read(OLD)));
  expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(1);
  const rows = await open.db.select().from(pushKeys);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.sealed.toString('latin1')).not.toContain(pairs[0]?.privateKey);
});

test('the pair outlives a rotation of SECRETS_KEY, and the old key can go', async () => {
  const before = await read(OLD);
  expect(await read(NEW, OLD)).toEqual(before);
  const safe = createKeySafe(OLD);
  safe.replace(NEW);
  const { switchSealing } = await import('#server/bots/keys/sealing.ts');
  await open.db.transaction((tx) => switchSealing(tx, safe.versions()[0], new Date()));
  await resealVapidKeys(open.db, safe);
  expect(await read(NEW)).toEqual(before);
});

test('a pair that no key opens is replaced, once', async () => {
  const before = await read(NEW);
  const after = await read('other'.repeat(10));
  expect(after.publicKey).not.toBe(before.publicKey);
  expect(await read('other'.repeat(10))).toEqual(after);
});

test('keys of the settings win', async () => {
  const keys = makeVapidKeys();
  expect(await openVapidKeys(open.db, { secretsKey: NEW, previousSecretsKey: undefined, push: { subject: '', keys } })()).toEqual(keys);
});
