import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { coinTicks } from '#contract/market/coin-ticks.ts';
import { type CryptoItem, type MarketSource, marketListAnswer } from '#contract/market/market.ts';
import { HOUR, SECOND } from '#domain/clock.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { createBudgets } from '#server/budgets.ts';
import { marketAnswers } from '#server/db/schema/market.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { openMarketData } from '#server/ports/market-data/open-market-data.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { stayWithin } from '#tests/support/stay-within.ts';

const TICK = 200;
/** Ticks that both processes are compared over. */
const TICKS = 20;

const servers: TestServer[] = [];
let url: string;
let here: TestServer;
let there: TestServer;

/** Starts a process whose own BTC prices no other process has, as live prices are. */
async function start(env: Record<string, string>, clock = Date.now): Promise<TestServer> {
  let calls = 0;
  const first = 60_000 + servers.length * 1_000;
  const btc = { source: 'A feed', speed: null, now: clock, candles: async () => [], priceAt: () => first + (calls++ % 500) };
  const server = await startServer({
    env: { ...sharedEnv(url), ROLE: 'web', ...env },
    marketOn: (db, config) => openMarketData(config, { db, clock, budgets: createBudgets({ db, clock }), btc }),
    analystOn: (market) => createBuiltInAnalyst({ market, readPicture: () => Promise.reject(new Error('no pictures')) }),
  });
  servers.push(server);
  return server;
}

onPostgres(
  async (postgres) => {
    url = postgres.url;
    here = await start({ MARKET_TICK_MS: String(TICK) });
    there = await start({ MARKET_TICK_MS: String(TICK) });
  },
  async () => {
    for (const server of servers) await server.close();
  },
);

/** BTC's price and its change, by `asOf`. */
interface Seen {
  asOf: string;
  figures: string;
}

const seen = (source: MarketSource, { USD }: CryptoItem['quote']): Seen => ({
  asOf: source.asOf,
  figures: `${USD?.price} ${USD?.percent_change_24h}`,
});

async function readList(server: TestServer, { authorization }: SignedUp): Promise<Seen> {
  const answer = await server.post('/coin-market/get-data', { limit: 5 }, { authorization });
  const { data } = z.parse(marketListAnswer, await answer.json());
  const btc = data.data.find(({ id }) => id === BITCOIN);
  if (!btc) throw new Error('no BTC');
  return seen(data.source, btc.quote);
}

async function readCoin(server: TestServer, { authorization, user }: SignedUp): Promise<Seen> {
  const answer = await fetch(`${server.url}/api/coin-market/get-single-data/${BITCOIN}/${user.id}`, { headers: { authorization } });
  const { data } = z.parse(cryptoDetailsAnswer, await answer.json());
  return seen(data.source, data.quote);
}

test('two processes show the same Bitcoin for the same time in lists, coin pages and ticks, and time never goes back', async () => {
  const ada = await here.signUp();
  const all: Seen[][] = [];
  /** Records what one way of reading shows on one process. */
  const record = (): ((shown: Seen) => void) => {
    const shown: Seen[] = [];
    all.push(shown);
    return (one) => void shown.push(one);
  };
  const sockets = await Promise.all([here, there].map(({ url: at }) => connect(at, ada.tokens.accessToken)));
  for (const socket of sockets) {
    const note = record();
    socket.on('coin_ticks', (sent) => {
      const { source, coins } = z.parse(coinTicks, sent);
      for (const { quote } of coins) note({ asOf: source.asOf, figures: `${quote.USD.price} ${quote.USD.percent_change_24h}` });
    });
    socket.emit('watch_coins', [BITCOIN]);
  }
  const readers = [here, there].flatMap((server) =>
    [readList, readCoin].map((read) => ({ read: () => read(server, ada), note: record() })),
  );
  const times = new Set<string>();
  while (times.size < TICKS) {
    await Promise.race(sockets.map((socket) => next(socket, 'coin_ticks')));
    for (const { read, note } of readers) {
      const shown = await read();
      note(shown);
      times.add(shown.asOf);
    }
  }
  for (const socket of sockets) socket.disconnect();

  const figures = new Map<string, Set<string>>();
  for (const { asOf, figures: shown } of all.flat()) figures.set(asOf, (figures.get(asOf) ?? new Set()).add(shown));
  expect([...figures.values()].filter((different) => different.size > 1)).toEqual([]);
  for (const shown of all) {
    expect(shown.length).toBeGreaterThan(3);
    const asOfs = shown.map(({ asOf }) => asOf);
    expect(asOfs).toEqual(asOfs.toSorted());
  }
  // The figures come from the feeds, and change.
  expect(new Set([...figures.values()].flatMap((one) => [...one])).size).toBeGreaterThan(10);
});

test('two processes whose clocks differ by a day give the same answer to a question about Bitcoin', async () => {
  // Both show the tick of one hour.
  await stayWithin(HOUR, 30 * SECOND);
  await here.db.delete(marketAnswers);
  const hourly = { MARKET_TICK_MS: '3600000' };
  const ahead = () => Date.now() + 86_400_000;
  const slow = [await start(hourly), await start(hourly, ahead)];
  const answers = await Promise.all(
    slow.map(async (server) => {
      const ada = await server.signUp();
      const socket = await connect(server.url, ada.tokens.accessToken);
      const question = questionOf(ada.user.id);
      const answer = next(socket, 'chat_response', ({ chat_id }) => chat_id === question.client_id);
      await send(socket, question);
      const { ai_response } = await answer;
      socket.disconnect();
      return ai_response;
    }),
  );
  expect(answers[0]).toMatch(/Bitcoin.*\$6\d,\d{3}/s);
  expect(answers[1]).toBe(answers[0]);
  await here.db.delete(marketAnswers);
});

test('a tick that is stored does not change, and a process that is behind shows it too', async () => {
  const ada = await here.signUp();
  const value = JSON.stringify({ 0: 12_345, 86400000: 10_000 });
  const later = sql`(floor(extract(epoch from clock_timestamp())) * 1000 + 40000)::bigint`;
  // In one statement, because a process may store a tick meanwhile.
  await here.db.execute(sql`insert into market_answers (key, value, version) values ('demo BTC', ${value}, ${later})
    on conflict (key) do update set value = excluded.value, version = excluded.version`);
  const shown = [await readList(here, ada), await readList(there, ada), await readCoin(there, ada)];
  expect(shown.map(({ figures }) => figures)).toEqual(Array(3).fill('12345 23.45'));
});

test('a tick of the far future, which a clock that was set back leaves, is replaced', async () => {
  const ada = await here.signUp();
  await here.db.execute(
    sql`insert into market_answers (key, value, version) values ('demo BTC', '{"0":1}', ${Date.now() + 2 * 86_400_000}::bigint) on conflict (key) do update set value = excluded.value, version = excluded.version`,
  );
  const late = await start({ MARKET_TICK_MS: '3600000' });
  expect(Date.parse((await readList(late, ada)).asOf)).toBeLessThanOrEqual(Date.now());
});
