import { expect, test } from 'vitest';
import { SECOND } from '#domain/clock.ts';
import { type ExchangeAccount, ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createReadyBots, timeOut } from '#tests/support/bots/ready-bots.ts';

const { ready } = createReadyBots();

const refused = () => Promise.reject(new ExchangeError('rejected', 'no'));

/** Leaves the stop out of entries. */
const bare = (account: ExchangeAccount): Partial<ExchangeAccount> => ({
  submit: ({ stop: _stop, target: _target, ...order }) => account.submit(order),
});

test('a position without a stop gets one', async () => {
  const { runCycle, candle, bot, kinds } = await ready(bare);
  await runCycle(candle);
  expect((await bot())?.position).toMatchObject({ stop: 98_000 });
  expect(await kinds()).toContain('protected');
});

test('a position is closed if no stop can be set', async () => {
  const { runCycle, candle, bot, kinds } = await ready((account) => ({ ...bare(account), protect: refused }));
  await runCycle(candle);
  expect((await bot())?.position).toBeNull();
  expect(await kinds()).toEqual(['running', 'unprotected', 'opened', 'closed']);
});

test.each([
  [0, [0, 100, 300, 700, 1300, 2000]],
  [949, [0, 1049, 2198]],
  [950, [0, 1050]],
])('setting a stop is retried for 2 s when each answer takes %d ms', async (delay, expected) => {
  const attempts: number[] = [];
  const one = await ready((account) => ({
    ...bare(account),
    protect: async () => {
      attempts.push(one.now());
      one.wait(delay);
      return refused();
    },
  }));
  await one.runCycle(one.candle);
  expect(attempts.map((at) => at - (attempts[0] ?? 0))).toEqual(expected);
  expect(await one.kinds()).toContain('unprotected');
});

test('a stop that is set although its answer is too late is kept', async () => {
  let attempts = 0;
  const { runCycle, candle, wait, bot, orders, kinds } = await ready((account) => ({
    ...bare(account),
    async protect(stop, target) {
      attempts++;
      await account.protect(stop, target);
      wait(10 * SECOND);
      throw timeOut();
    },
  }));
  await runCycle(candle);
  expect(attempts).toBe(1);
  expect((await bot())?.position).toMatchObject({ stop: 98_000 });
  expect((await orders()).map(({ purpose }) => purpose)).toEqual(['entry']);
  expect(await kinds()).toEqual(['running', 'protected', 'opened']);
});

test('a position that is gone when no stop could be set is not closed again', async () => {
  const { runCycle, candle, bot, orders, kinds } = await ready((account) => ({
    ...bare(account),
    async protect() {
      const quantity = (await account.position())?.quantity ?? 0;
      if (quantity > 0) await account.submit({ clientId: 'by-hand', direction: 'sell', type: 'market', quantity, reduceOnly: true });
      return refused();
    },
  }));
  await runCycle(candle);
  expect(await bot()).toMatchObject({ status: 'RUNNING', position: null });
  expect((await orders()).map(({ purpose }) => purpose)).toEqual(['entry']);
  expect(await kinds()).toEqual(['running', 'opened', 'closed']);
});
