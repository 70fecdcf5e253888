import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { quietExchange } from '#tests/support/bots/quiet-exchange.ts';
import { createLog, filesBelow, filesWith } from '#tests/support/server/leaks.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { withoutCoreFiles } from '#tools/server-process.mjs';

/** Unique text, so that a leak can be found. */
const CANARY = 'canary-5f1c9e7b';
const keys = { api_key: `key-${CANARY}`, secret_key: `secret-${CANARY}` };

let server: TestServer;
let user: SignedUp;
let trouble: ExchangeError | undefined;
const log = createLog();

beforeAll(async () => {
  server = await startServer({
    env: { LOG_LEVEL: 'trace' },
    logTo: log,
    exchangeOn: (db) => {
      const exchange = quietExchange(db);
      const demo = { key: 'paper-demo-key', secret: 'paper-demo-secret' };
      return {
        ...exchange,
        account: (given, owner) => {
          const account = exchange.account(demo, owner);
          const answer = async () => {
            expect(given.secret).toContain(CANARY);
            if (trouble) throw trouble;
            return account.check();
          };
          return { ...account, check: answer };
        },
      };
    },
  });
  user = await server.signUp();
});
afterAll(() => server?.close());

test('an exchange key is in no answer, no log and no file of the database', async () => {
  const call = botCaller(server, user);
  const answers = [await call('POST', '/trading-bots', botBody(keys), { 'idempotency-key': 'canary' })];
  expect(answers[0]?.status).toBe(201);
  const id = answers[0]?.body.data.bot_id;
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('RUNNING'));
  trouble = new ExchangeError('unavailable', 'the exchange is down');
  answers.push(await call('POST', '/trading-bots', botBody(keys)));
  answers.push(await call('POST', '/trading-bots', { ...botBody(keys), position_size: '1' }));
  answers.push(await call('POST', '/trading-bots', { config: { custom_settings: keys } }));
  answers.push(await call('GET', `/trading-bots/${id}/report`));
  expect(answers.map(({ status }) => status)).toEqual([201, 502, 400, 400, 200]);
  expect(JSON.stringify(answers)).not.toContain(CANARY);
  expect(log.text()).toContain('answered');
  expect(log.text()).not.toContain(CANARY);

  expect(filesBelow(server.dataDir).length).toBeGreaterThan(10);
  expect(filesWith(server.dataDir, CANARY)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('a crash of the server leaves no core file', () => {
  const { command, args } = withoutCoreFiles('cat', ['/proc/self/limits']);
  expect(execFileSync(command, args, { encoding: 'utf8' })).toMatch(/^Max core file size +0 +0 /m);
});

test('keys sealed for one bot open for no other bot and under no other key', () => {
  const safe = createKeySafe('one key that is long enough for this purpose');
  const sealed = safe.seal('a', { key: 'k', secret: CANARY });
  expect(safe.open('a', sealed)).toEqual({ key: 'k', secret: CANARY });
  expect(sealed.includes(CANARY)).toBe(false);
  expect(() => safe.open('b', sealed)).toThrow();
  expect(() => createKeySafe('another key that is long enough for this').open('a', sealed)).toThrow();
});
