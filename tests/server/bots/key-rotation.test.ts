import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBotService } from '#server/bots/api/service.ts';
import { createKeySafe, UnknownKeyVersion } from '#server/bots/keys/key-safe.ts';
import { readConfig, secretsKeysOf } from '#server/config.ts';
import { type Db, type OpenDb, openDb } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { type Exchange, ExchangeError, type KeyFacts } from '#server/ports/exchange/exchange.ts';
import { createRig, plantBots, SECRETS_KEY } from '#tests/support/bots/bot-rig.ts';
import { cutAt } from '#tests/support/server/cut-at.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const NEXT = 'the next key for tests that is long enough, and no secret';
const KEYS = { key: 'paper-demo-key', secret: 'paper-demo-secret' };
const BOTS = 5;
const T0 = Date.UTC(2025, 0, 1);
const HEADER_BYTES = 12;
const candles: Candle[] = Array.from({ length: 40 }, (_, index) => {
  const price = 100_000;
  return { time: T0 + index * HOUR, open: price, high: price, low: price, close: price, volume: 1 };
});

let kept: TestDb;
beforeEach(async () => {
  kept = await openTestDb();
});
afterEach(() => kept.close());

const rowsOf = (db: Db) => db.select().from(bots).orderBy(asc(bots.id));
const rigOn = (db: Db, options: Partial<Parameters<typeof createRig>[0]> = {}) => createRig({ db, candles, start: 24, ...options });
const both = { secretsKey: NEXT, previousSecretsKey: SECRETS_KEY };

/** Rewrites sealed keys into the format of older releases. */
async function makeLegacy(db: Db): Promise<void> {
  const old = createKeySafe(SECRETS_KEY);
  for (const { id } of await rowsOf(db))
    await db
      .update(bots)
      .set({ sealedKeys: old.seal(id, KEYS).subarray(HEADER_BYTES) })
      .where(eq(bots.id, id));
}

test('killed before any message to the database, every key still opens and the next run finishes', async () => {
  const { db } = kept;
  await plantBots(db, BOTS, { now: T0 });
  await makeLegacy(db);
  for (let last = 0; ; last++) {
    const rig = rigOn(cutAt(db, last), both);
    const result = await rig.rotateKey().catch((error: Error) => error.message);
    const healthy = rigOn(db, both);
    for (const { id } of await rowsOf(db)) expect(await healthy.engine.runBotCycle(id)).toBe(true);
    expect((await rowsOf(db)).map(({ status }) => status)).toEqual(Array(BOTS).fill('RUNNING'));
    if (result !== 'killed') break;
    expect(last).toBeLessThan(20);
  }
  const next = createKeySafe(NEXT);
  for (const row of await rowsOf(db)) {
    expect(next.open(row.id, row.sealedKeys)).toMatchObject(KEYS);
    expect(row.keyDigest).toBe(next.digest(KEYS.key));
    expect(() => createKeySafe(SECRETS_KEY).open(row.id, row.sealedKeys)).toThrow(UnknownKeyVersion);
  }
  expect(await rigOn(db, both).rotateKey()).toMatchObject({ bots: BOTS, resealed: 0, unreadable: 0 });
  expect(await rigOn(db, { secretsKey: NEXT }).engine.runBotCycle((await rowsOf(db))[0]?.id ?? '')).toBe(true);
});

test('without a previous key the command says which settings it needs, and changes nothing', async () => {
  await plantBots(kept.db, 1, { now: T0 });
  const before = await rowsOf(kept.db);
  await expect(rigOn(kept.db).rotateKey()).rejects.toThrow('SECRETS_KEY_PREVIOUS');
  expect(await rowsOf(kept.db)).toEqual(before);
});

test('a secret that opens under neither key is counted and not changed', async () => {
  const [broken = ''] = await plantBots(kept.db, 2, { now: T0 });
  const lost = createKeySafe('a lost key that is long enough').seal(broken, KEYS);
  await kept.db.update(bots).set({ sealedKeys: lost }).where(eq(bots.id, broken));
  expect(await rigOn(kept.db, both).rotateKey()).toMatchObject({ bots: 2, resealed: 1, unreadable: 1 });
  expect((await kept.db.select().from(bots).where(eq(bots.id, broken)))[0]?.sealedKeys).toEqual(lost);
});

test('a bot waits 15 minutes for a key that only another process has, then goes into error', async () => {
  const { db } = kept;
  const [id = ''] = await plantBots(db, 1, { now: T0 });
  let now = T0 + 24 * HOUR;
  const rig = rigOn(db, { clock: () => now });
  await rig.engine.runBotCycle(id);
  await db.update(bots).set({ sealedKeys: createKeySafe(NEXT).seal(id, KEYS) });
  now += 14 * MINUTE;
  await expect(rig.engine.runBotCycle(id)).rejects.toThrow(UnknownKeyVersion);
  expect((await rowsOf(db))[0]?.status).toBe('RUNNING');
  expect(await rigOn(db, { ...both, clock: () => now }).engine.runBotCycle(id)).toBe(true);
  now += 16 * MINUTE;
  await expect(rig.engine.runBotCycle(id)).rejects.toThrow('can no longer be read');
  expect((await rowsOf(db))[0]?.status).toBe('ERROR');
});

describe('the generated encryption key', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-keys-'));
  });
  afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const read = () => readConfig({ DATA_DIR: dataDir });

  test('is replaced once, is readable by its owner only, and old and new key work after a restart', async () => {
    await plantBots(kept.db, 2, { now: T0, secretsKey: read().secretsKey });
    const first = read();
    const rig = rigOn(kept.db, secretsKeysOf(first));
    const rotated = await rig.rotateKey();
    expect(rotated).toMatchObject({ bots: 2, resealed: 2 });
    const second = read();
    expect(second).toMatchObject({ previousSecretsKey: first.secretsKey });
    expect(second.secretsKey).not.toBe(first.secretsKey);
    expect(fs.statSync(path.join(dataDir, 'secrets-key')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, 'secrets-key.previous')).mode & 0o777).toBe(0o600);
    // A repeated rotation, in the same process or a new one, continues with the same key.
    expect(await rig.rotateKey()).toMatchObject({ key: rotated.key, resealed: 0 });
    expect(await rigOn(kept.db, secretsKeysOf(second)).rotateKey()).toMatchObject({ key: rotated.key, resealed: 0 });
    expect(read().secretsKey).toBe(second.secretsKey);
    expect(fs.readdirSync(dataDir).sort()).toEqual(['jwt-secret', 'secrets-key', 'secrets-key.previous']);
  });

  test('is not lost by a crash between its two files', async () => {
    const { secretsKey } = read();
    fs.writeFileSync(path.join(dataDir, 'secrets-key.previous'), `${secretsKey}\n`);
    expect(read()).toMatchObject({ secretsKey, previousSecretsKey: undefined });
    await plantBots(kept.db, 1, { now: T0, secretsKey });
    expect(await rigOn(kept.db, secretsKeysOf(read())).rotateKey()).toMatchObject({ resealed: 1 });
    expect(read().previousSecretsKey).toBe(secretsKey);
  });

  test('is not replaced if it comes from the settings or other processes may use it', () => {
    expect(secretsKeysOf(readConfig({ DATA_DIR: dataDir, SECRETS_KEY: NEXT })).generateSecretsKey).toBeUndefined();
    const shared = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://localhost/tidemark' });
    expect(secretsKeysOf(shared).generateSecretsKey).toBeUndefined();
  });
});

describe('on a live exchange', () => {
  let answer: () => Promise<Partial<KeyFacts>> = async () => ({});
  /** Key `a/1` belongs to account a. */
  const live = (exchange: Exchange): Exchange => ({
    ...exchange,
    kind: 'bybit',
    paper: false,
    account: ({ key }, owner) => {
      const account = exchange.account(KEYS, owner);
      const check = async () => ({ ...(await account.check()), accountId: key.split('/')[0] ?? '', ...(await answer()) });
      return { ...account, check };
    },
  });
  const rig = (options: Partial<Parameters<typeof createRig>[0]> = {}) => rigOn(kept.db, { wrap: live, ...options });
  const service = (...keys: [string, string?]) => {
    const { exchange, engine } = rig();
    const safe = createKeySafe(...keys);
    const accessOf = async () => ({ allowed: true, reason: 'premium' }) as const;
    const parts = {
      db: kept.db,
      clock: () => T0,
      exchange,
      testnet: false,
      safe,
      accessOf,
      runBotCycle: engine.runBotCycle,
      wake: () => undefined,
    };
    return createBotService(parts);
  };
  const body = (api_key: string) => ({
    bot_name: 'Tide',
    api_key,
    secret_key: 's',
    position_size: '1000',
    leverage: 10,
    confirm_live: 'LIVE',
  });
  async function create(bot: ReturnType<typeof service>, api_key: string) {
    const [{ userId = '' } = {}] = await rowsOf(kept.db);
    const facts = await bot.checkNew(userId, body(api_key));
    return kept.db.transaction((tx) => bot.create(tx, userId, body(api_key), facts));
  }

  beforeEach(async () => {
    answer = async () => ({});
    await plantBots(kept.db, 1, { now: T0, exchange: 'bybit', keys: { key: 'first/1', secret: 's' } });
  });

  test('an exchange account stays taken before, during and after a rotation, for any of its keys', async () => {
    await create(service(SECRETS_KEY), 'a/1');
    // A process with both keys seals under the old one until the rotation starts: other processes may lack the new one.
    await create(service(NEXT, SECRETS_KEY), 'b/1');
    for (const row of await rowsOf(kept.db)) expect(createKeySafe(SECRETS_KEY).open(row.id, row.sealedKeys).secret).toBe('s');
    for (const taken of ['a/2', 'b/2'])
      await expect(create(service(NEXT, SECRETS_KEY), taken)).rejects.toMatchObject({ code: 'key_in_use' });

    await rig(both).rotateKey();
    await create(service(NEXT, SECRETS_KEY), 'c/1');
    for (const row of await rowsOf(kept.db)) expect(createKeySafe(NEXT).open(row.id, row.sealedKeys).secret).toBe('s');
    for (const taken of ['a/2', 'b/2', 'c/2']) {
      await expect(create(service(NEXT, SECRETS_KEY), taken)).rejects.toMatchObject({ code: 'key_in_use' });
      await expect(create(service(NEXT), taken)).rejects.toMatchObject({ code: 'key_in_use' });
    }
  });

  test('a bot accepts another key of its account during a key rotation, and no key of another account', async () => {
    const made = await create(service(SECRETS_KEY), 'a/1');
    const bot = service(NEXT, SECRETS_KEY);
    const row = (await rowsOf(kept.db)).find(({ id }) => id === made.bot_id);
    const replace = (key: string) => {
      const facts = { accountId: key.split('/')[0] ?? '', expiresAt: null } as KeyFacts;
      return kept.db.transaction((tx) => bot.update(tx, row?.userId ?? '', made.bot_id, {}, { keys: { key, secret: 's' }, facts }));
    };
    await expect(replace('b/1')).rejects.toMatchObject({ code: 'other_account' });
    await expect(replace('a/2')).resolves.toMatchObject({ key_hint: 'a/2' });
  });

  test('asks the exchange for an account that an older release did not store, and needs the old key until it answers', async () => {
    const [row] = await rowsOf(kept.db);
    answer = async () => {
      throw new ExchangeError('unavailable', 'the exchange is down');
    };
    await expect(rig(both).rotateKey()).rejects.toThrow('1 left (1 wait for the exchange). Keep the old key');
    expect((await rowsOf(kept.db))[0]?.sealedKeys).toEqual(row?.sealedKeys);
    answer = async () => ({});
    expect(await rig(both).rotateKey()).toMatchObject({ resealed: 1, account_unknown: 0 });
    expect((await rowsOf(kept.db))[0]?.keyDigest).toBe(createKeySafe(NEXT).digest('bybit false first'));
  });

  test('an API key that the exchange has revoked does not hold up the rotation', async () => {
    answer = async () => {
      throw new ExchangeError('invalid-key', 'no such key');
    };
    expect(await rig(both).rotateKey()).toMatchObject({ resealed: 1, account_unknown: 1 });
  });
});

describe('two processes on one PostgreSQL', () => {
  const opened: OpenDb[] = [];
  onPostgres(
    async ({ url }) => {
      for (let at = 0; at < 2; at++) opened.push(await openDb({ databaseUrl: url, dataDir: '' }));
    },
    async () => {
      for (const { close } of opened) await close();
    },
  );

  test('rotate at the same time while both run the bots, and reseal each bot once', async () => {
    const [one, two] = opened as [OpenDb, OpenDb];
    const count = 60;
    const ids = await plantBots(one.db, count, { now: T0 });
    const first = rigOn(one.db, both);
    const second = rigOn(two.db, both);
    const tendAll = async () => {
      for (const id of ids) await Promise.all([first.engine.runBotCycle(id), second.engine.runBotCycle(id)]);
    };
    const [, left, right] = await Promise.all([tendAll(), first.rotateKey(), second.rotateKey()]);
    expect(left.resealed + right.resealed).toBe(count);
    await tendAll();
    const rows = await rowsOf(one.db);
    expect(rows.map(({ status }) => status)).toEqual(Array(count).fill('RUNNING'));
    for (const row of rows) expect(createKeySafe(NEXT).open(row.id, row.sealedKeys)).toMatchObject(KEYS);
  });
});
