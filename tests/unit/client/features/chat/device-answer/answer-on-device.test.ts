// @vitest-environment node

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerOnDevice, prepareAnswers } from '#client/features/chat/device-answer/answer-on-device.ts';
import { deviceFigures } from '#client/features/chat/device-answer/device-figures.ts';
import { deviceOwn } from '#client/features/chat/device-answer/device-own.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import type { Figures } from '#domain/analyst/figures.ts';
import { HOUR } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { ARCHIVE, unanswered } from '#tests/support/chat/chat-rows.ts';
import { OWN_AS_OF, ownBots, ownOf, ownPlan } from '#tests/support/chat/own-rows.ts';
import { storeMarket } from '#tests/support/market/device-market.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const market = stillMarket();
const { coins, source } = await market.snapshot();
const bitcoin = coins.find(({ id }) => id === 1);
let db: UserDb;
let user = 0;

beforeEach(async () => {
  user += 1;
  db = userDb(`asker-${user}`);
});

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const ask = async (text: string, earlier: readonly string[] = []) => {
  await db.messages.put(unanswered({ id: 'asked', user_message: text }));
  await answerOnDevice(db, { id: 'asked', text, earlier });
  return (await db.messages.get('asked'))?.device_answer;
};

it('answers from the stored figures, with their time', async () => {
  await storeMarket(db, market);
  const answer = await ask('bitcoin price');
  expect(answer?.text).toContain(formatUsd(bitcoin?.quote.USD.price ?? null));
  expect(answer?.asOf).toBe(Date.parse(source.asOf));
  expect(answer?.figures?.list[0]).toMatchObject({ label: 'Price of Bitcoin (BTC)', value: bitcoin?.quote.USD.price });
  expect((await ask('and its volume?', ['bitcoin price']))?.text).toContain('24-hour volume');
});

it.each(['what about dogwifcoinx', 'asdf qwer', 'top meme coins'])('leaves "%s" to the server, which knows more', async (text) => {
  await storeMarket(db, market);
  expect(await ask(text)).toBeUndefined();
});

it('that was prepared reads the names of the coins before its question, and again once they may have changed', async () => {
  await storeMarket(db, market);
  const read = vi.spyOn(db.coins, 'toArray');
  const forget = prepareAnswers(db);
  expect((await ask('bitcoin price'))?.text).toContain(formatUsd(bitcoin?.quote.USD.price ?? null));
  expect(read).toHaveBeenCalledTimes(1);
  forget();
  await db.coins.update(1, { name: 'Renamedcoin' });
  expect((await ask('renamedcoin price'))?.text).toContain('Renamedcoin');
  expect(read).toHaveBeenCalledTimes(2);
});

it('answers although it could not be prepared', async () => {
  await storeMarket(db, market);
  vi.spyOn(db.coins, 'toArray').mockRejectedValueOnce(new Error('the disk is full'));
  prepareAnswers(db);
  expect((await ask('bitcoin price'))?.text).toContain(formatUsd(bitcoin?.quote.USD.price ?? null));
});

it('says nothing of a market that the device has never seen', async () => {
  expect(await ask('bitcoin price')).toBeUndefined();
});

it.each([
  ['answered', { ai_response: 'It is.', chat_status: 'ai-responce' as const }],
  ['edited', { user_message: 'ether price' }],
])('keeps a question that was %s meanwhile as it is', async (_, change) => {
  await storeMarket(db, market);
  await db.messages.put(unanswered({ id: 'asked', user_message: 'bitcoin price', archive_id: ARCHIVE, ...change }));
  await answerOnDevice(db, { id: 'asked', text: 'bitcoin price', earlier: [] });
  expect((await db.messages.get('asked'))?.device_answer).toBeUndefined();
});

it('claims no supply of a coin whose page the device has not seen', async () => {
  await storeMarket(db, market);
  await db.coinDetails.clear();
  expect((await ask('ethereum'))?.text).not.toContain('Supply');
  expect((await ask('supply of ethereum'))?.text).toContain('I do not have the supply of Ethereum (ETH) here.');
});

/** Stores what the device knows of a user. */
async function storeOwn() {
  const { planType, extraQuestions, extraChatAnalysis } = ownPlan;
  const userSubscription = { planType, extraQuestions, extraChatAnalysis, activeAutoRenewal: false, endDate: null };
  const named = { first_name: 'Ada', last_name: '', email: 'ada@example.com', country: 'GB', profile_image: null };
  await db.profile.put({ id: 'user-1', ...named, created_at: '2026-03-01T00:00:00.000Z', userSubscription });
  await db.bots.bulkPut([...ownBots]);
  await db.stamps.bulkPut(['profile/user-1', 'bots'].map((key) => ({ key, savedAt: OWN_AS_OF })));
}

it('answers from the bots and the plan that it has stored, with the time of those', async () => {
  await storeMarket(db, market);
  await storeOwn();
  vi.setSystemTime(OWN_AS_OF + HOUR);
  const bots = await ask('what do my bots do');
  expect(bots?.text).toContain('**Tide one** (Paper trading, running)');
  expect(bots?.text).toContain('Data: 13 May 2026, 09:30 UTC, your bots.');
  expect(bots?.asOf).toBe(OWN_AS_OF);
  await db.messages.clear();
  expect((await ask('my plan'))?.text).toContain('**7** of 10 questions and **3** of 3 chart analyses');
});

it('says that funding needs a connection', async () => {
  await storeMarket(db, market);
  expect((await ask('btc funding rate'))?.text).toContain('on this device: they come from an exchange and need a connection.');
});

it('leaves bots that it has never seen, and a plan of an earlier month, to the server', async () => {
  await storeMarket(db, market);
  expect(await ask('what do my bots do')).toBeUndefined();
  await storeOwn();
  vi.setSystemTime(Date.parse('2026-06-01T00:00:00Z'));
  await db.messages.clear();
  expect(await ask('my plan')).toBeUndefined();
  await db.messages.clear();
  expect((await ask('what do my bots do'))?.asOf).toBe(OWN_AS_OF);
});

// A busy machine has taken a minute for the questions.
it('gives the answers of the server from the same figures, to every question of the corpus', { timeout: 300_000 }, async () => {
  await storeMarket(db, market);
  await storeOwn();
  const server = marketFigures(market);
  const list = { ids: coins.slice(0, 100).map(({ id }) => id), source };
  // What a device lacks: kinds of coins, coins outside of its list, and Bitcoin's hourly candles.
  const listed = coins.slice(0, 100).map(({ tags: _, ...coin }) => coin);
  // Both read their lists once: the index of names is made for each list.
  const read = deviceFigures(db, list);
  const [deviceListing, deviceNames] = [await read.listing(), await read.names()];
  const device: Figures = { ...read, listing: async () => deviceListing, names: async () => deviceNames };
  const ranked = [...listed].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const same: Figures = {
    ...server,
    perpetual: device.perpetual,
    listing: async () => ({ coins: listed, source }),
    names: async () => ranked,
    bitcoinHours: async () => undefined,
  };
  const lines = readFileSync(new URL('../../../../../analyst/questions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const own = deviceOwn(db, () => OWN_AS_OF);
  let answered = 0;
  for (const { turns } of lines.map((line): { turns: string[] } => JSON.parse(line))) {
    const [question, earlier] = [turns.at(-1) ?? '', turns.slice(0, -1)];
    const answer = await answerQuestion(question, earlier, device, own);
    expect(answer, turns.join(' / ')).toEqual(await answerQuestion(question, earlier, same, ownOf()));
    if (!answer.isPartial) answered += 1;
  }
  expect(answered).toBeGreaterThan(lines.length / 2);
});
