import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import type { AddressBudget, Urgency } from '#server/ports/exchange/address-budget.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { createOkx } from '#server/ports/exchange/okx/okx.ts';
import { startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { PRICE, T0 } from '#tests/support/bots/live-account.ts';
import { startOkx } from '#tests/support/bots/okx/okx-server.ts';
import { marketOrder } from '#tests/support/bots/sample-order.ts';

const now = () => T0;
const market = { now, price: () => PRICE };
const taken: Urgency[] = [];
const budget: AddressBudget = { take: async (urgency) => void taken.push(urgency), block: async () => undefined };
const shared = { clock: now, budget, interval: HOUR, report: () => undefined };
const closing: (() => Promise<void>)[] = [];

afterEach(() => void taken.splice(0));
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function openBybit() {
  const server = await startBybit(market);
  const exchange = createBybit({ ...shared, testnet: false, urls: [server.url], referral: { code: '77' } });
  return { server, exchange };
}

async function openOkx() {
  const server = await startOkx(market);
  const exchange = createOkx({ ...shared, demo: false, url: server.url, affiliate: undefined });
  return { server, exchange };
}

describe.each([
  ['Bybit', openBybit],
  ['OKX', openOkx],
])('requests to %s', (_, open) => {
  test('that protect or close a position come before looks, and entries come last', async () => {
    const { server, exchange }: { server: Awaited<ReturnType<typeof open>>['server']; exchange: Exchange } = await open();
    closing.push(server.close, exchange.close);
    const key = server.open('one', { balance: 10_000 });
    const account = exchange.account(key, { userId: '', botId: randomUUID(), capital: 1 });
    await account.prepare(10);
    await exchange.terms();

    /** Returns the urgencies of a command's requests. */
    async function takenBy(command: () => Promise<unknown>): Promise<Urgency[]> {
      taken.splice(0);
      await command();
      return [...taken];
    }
    expect(await takenBy(() => account.submit(marketOrder()))).toContain('entry');
    expect(await takenBy(() => account.position())).toContain('look');
    expect(await takenBy(() => account.protect(58_000, 64_000))).toContain('protect');
    const { stop: __, target: ___, ...close } = marketOrder({ direction: 'sell', reduceOnly: true });
    const closed = await takenBy(() => account.submit(close));
    expect(closed).toContain('exit');
    expect(closed).not.toContain('entry');
  });
});
