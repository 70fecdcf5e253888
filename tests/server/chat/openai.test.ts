import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { foldToDays } from '#domain/market/candles.ts';
import { onMeasured } from '#server/metrics/measurements.ts';
import type { Analyst, Context, Turn } from '#server/ports/analyst/analyst.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { createOpenAiAnalyst } from '#server/ports/analyst/openai/openai-analyst.ts';
import { INSTRUCTIONS } from '#server/ports/analyst/openai/prompt.ts';
import { STAND_IN, withStandIn } from '#server/ports/analyst/with-stand-in.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { breakOff, callTools, free, hang, refuse, say, send, startModelServer } from '#tests/support/chat/openai.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const PATIENCE = 15_000;
const KEY = 'sk-very-secret-key-0123456789';
const market = stillMarket();
const { coins } = await market.snapshot();
const bitcoin = coins.find(({ id }) => id === 1);
const price = formatUsd(bitcoin?.quote.USD.price);

const priced: ChartReading = { ...reading, levels: [{ kind: 'support', y: 200, touches: 3, price: 43210 }] };

const server = await startModelServer();
afterAll(() => server.close());

const reports: unknown[] = [];
let analyst: Analyst;
const open = (patience = PATIENCE) => {
  const readPicture = async () => priced;
  analyst = withStandIn({
    model: createOpenAiAnalyst({
      endpoint: { baseUrl: server.url, key: KEY, model: 'test-model', patience },
      reserve: free,
      market,
      readPicture,
    }),
    builtIn: createBuiltInAnalyst({ market, readPicture }),
    patience: 20_000,
    report: (error) => reports.push(error),
  });
};
beforeEach(() => {
  server.requests.length = 0;
  reports.length = 0;
  open();
});
afterEach(() => {
  // No log line contains the key.
  expect(reports.map(String).join()).not.toContain(KEY);
});

const ask = (question: string, context: Partial<Context> = {}) =>
  analyst.answer(question, { userId: 'ada', history: [], signal: new AbortController().signal, ...context });
const play = (...plays: typeof server.plays) => {
  server.plays = plays;
};
const sent = (index: number) => {
  const request = server.requests[index];
  if (!request) throw new Error(`no request ${index}`);
  return request.body;
};

describe('a language model', () => {
  it('is asked with the key, streaming, and its words become the answer with time and risk', async () => {
    play(say('Bitcoin is a digital currency.'));
    const { text, coins: named } = await ask('what is bitcoin?');
    expect(text).toMatch(/^Bitcoin is a digital currency\.\n\nData: 13 May 2026, 09:30 UTC, .*\n\nNot financial advice/);
    expect(named).toEqual([1]);
    expect(server.requests[0]).toMatchObject({ url: '/v1/chat/completions', authorization: `Bearer ${KEY}` });
    expect(sent(0)).toMatchObject({ model: 'test-model', stream: true });
    expect(sent(0).messages[0]).toEqual({ role: 'system', content: INSTRUCTIONS });
    expect(sent(0).messages.at(-1)).toEqual({ role: 'user', content: 'what is bitcoin?' });
  });

  it('ties levels and days to their candles, and takes no mark that it writes itself', async () => {
    const series = await market.btcCandles();
    const day = foldToDays(series?.candles ?? []).at(-1);
    play(
      callTools({ name: 'get_bitcoin_days', arguments: { days: 2 } }),
      say(`The high was ${formatUsd(day?.high)}. \ue000{"label":"x","value":1,"unit":"USD"}\ue001$1\ue002`),
      say(`The high was ${formatUsd(day?.high)}. \ue000{"label":"x"}\ue001none\ue002`),
    );
    const { text, figures } = await ask('what was the high?');
    expect(figures?.list.map(({ label }) => label)).toEqual([expect.stringMatching(/^High of Bitcoin \(BTC\) on /)]);
    expect(figures?.sources).toEqual([expect.objectContaining({ tool: 'candles' })]);
    expect(text).not.toMatch(/[\ue000-\uf8ff]/);
  });

  it('looks figures up with our tools', async () => {
    play(
      callTools(
        { name: 'get_quotes', arguments: { coins: ['BTC', 'ethereum', 'no such coin'] } },
        { name: 'get_bitcoin_levels', arguments: '' },
      ),
      callTools({ name: 'get_ranking', arguments: { by: 'gainers', count: 3 } }, { name: 'get_bitcoin_days', arguments: { days: 2 } }),
      say(`Bitcoin is at ${price}.`),
    );
    const { text, figures } = await ask('price of bitcoin');
    expect(text).toContain(`Bitcoin is at ${price}.`);
    expect(figures?.list).toEqual([
      expect.objectContaining({
        at: text.indexOf(price),
        length: price.length,
        label: 'Price of Bitcoin (BTC)',
        now: { metric: 'price', coin: 1 },
      }),
    ]);
    expect(figures?.sources).toEqual([{ tool: 'quotes', name: expect.stringContaining('Demo'), asOf: '2026-05-13T09:30:00.000Z' }]);
    const results = sent(2)
      .messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.parse(String(content)));
    expect(results[0]).toMatchObject({
      asOf: '2026-05-13T09:30:00.000Z',
      data: [{ id: 1, usd: { price: bitcoin?.quote.USD.price } }, { name: 'Ethereum' }, { asked: 'no such coin', unknown: true }],
    });
    expect(results[1].data.supports.length).toBeGreaterThan(0);
    expect(results[2].data).toHaveLength(3);
    expect(results[3].data.days).toHaveLength(2);
    expect(reports).toEqual([]);
  });

  it.each([
    ['a tool there is not', { name: 'get_users', arguments: {} }],
    ['a name every object has', { name: 'constructor', arguments: {} }],
    ['arguments that are no JSON', { name: 'get_quotes', arguments: '{"coins":["BTC"' }],
    ['arguments it does not take', { name: 'get_quotes', arguments: { coins: ['BTC'], userId: 'x' } }],
    ['too many coins', { name: 'get_quotes', arguments: { coins: Array(11).fill('BTC') } }],
    ['a count out of bounds', { name: 'get_ranking', arguments: { by: 'gainers', count: 1e9 } }],
  ])('is told so when it calls %s', async (_name, call) => {
    play(callTools(call), say('I do not know.'));
    await ask('hello');
    expect(sent(1).messages.at(-1)?.content).toMatch(/^\{"error":/);
  });

  it('is shown earlier turns as far as they fit, and the picture with our own reading of it', async () => {
    play(say('An upward trend with support near $43,210.'));
    const history: Turn[] = Array.from({ length: 50 }, (_, at) => ({ question: `question ${at}`, answer: 'x'.repeat(2000) }));
    const { marks } = await ask('what do you see?', { history, picture: { type: 'image/png', bytes: Buffer.from('png') } });
    const { messages } = sent(0);
    expect(JSON.stringify(messages).length).toBeLessThan(20_000);
    expect(messages.at(-2)).toEqual({ role: 'assistant', content: 'x'.repeat(2000) });
    expect(messages.at(-3)).toEqual({ role: 'user', content: 'question 49' });
    const [text, image] = (messages.at(-1)?.content ?? []) as [{ text: string }, unknown];
    expect(text.text).toContain('43210');
    expect(image).toEqual({ type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from('png').toString('base64')}` } });
    expect(marks).toMatchObject({ kind: 'candles', levels: [{ price: 43210 }] });
    expect(marks).not.toHaveProperty('candles');
  });

  it('may not invent figures: after one warning the built-in analyst answers', async () => {
    play(say('Bitcoin will be at $250,000.'), say('I cannot tell where it will be.'));
    expect((await ask('where will bitcoin be?')).text).toMatch(/^I cannot tell/);
    expect(sent(1).messages.at(-1)?.content).toContain('$250,000');

    play(say('Bitcoin will be at $250,000.'));
    const { text } = await ask('price of bitcoin');
    expect(text.startsWith(STAND_IN)).toBe(true);
    expect(text).toContain(price);
    expect(text).not.toContain('250,000');
  });

  it('that only looks things up is not asked for ever', async () => {
    play(callTools({ name: 'get_bitcoin_levels', arguments: {} }));
    const measured: unknown[] = [];
    const end = onMeasured('providerCall', (what) => measured.push(what));
    expect((await ask('hi')).text.startsWith(STAND_IN)).toBe(true);
    end();
    expect(measured).toEqual([{ provider: 'language_model', outcome: 'error' }]);
    expect(server.requests.length).toBeLessThan(7);
    expect(sent(server.requests.length - 1)).not.toHaveProperty('tools');
  });

  it('that was cut off says so', async () => {
    play(say('And so on and', 'length'));
    expect((await ask('hi')).text).toContain('The answer was cut off at its longest.');
  });
});

describe('failures', () => {
  const whole = say('All is well.');
  it.each([
    ['429', refuse(429, '0')],
    ['500', refuse(500)],
    ['a piece that is no JSON', send('data: {"choices":[{"delta":{"content":"Al', '\n\n')],
    ['a piece of another shape', send('data: {"choices":"none"}\n\n')],
    ['an answer that ends too soon', send('data: {"choices":[{"delta":{"content":"Half"}}]}\n\n')],
    ['a connection that breaks', breakOff],
  ])('%s is asked for once more', async (_name, play_) => {
    play(play_, whole);
    expect((await ask('hi')).text).toMatch(/^All is well\./);
    expect(server.requests).toHaveLength(2);
    expect(reports).toEqual([]);
  });

  it.each<[string, (typeof server.plays)[number], number, number?]>([
    ['429 with a long wait', refuse(429, '120'), 1],
    ['a refused key', refuse(401), 1],
    ['500 twice', refuse(500), 2],
    ['a time-out before the first word', hang(), 1, 1_500],
    ['a time-out in mid-answer', hang('Half'), 1, 1_500],
    ['nothing said', say(''), 1],
    ['an answer withheld', say('x', 'content_filter'), 1],
  ])('%s: the built-in analyst answers and says so', async (_name, play_, requests, patience) => {
    open(patience);
    play(play_);
    const { text } = await ask('price of bitcoin');
    expect(text.startsWith(`${STAND_IN}\n\n`)).toBe(true);
    expect(text).toContain(price);
    expect(server.requests).toHaveLength(requests);
    expect(reports).toHaveLength(1);

    // The next question reaches the model again.
    open();
    play(whole);
    expect((await ask('hi')).text).toMatch(/^All is well\./);
  });

  it('a canceled question ends at once, without a fallback answer', async () => {
    play(hang('Half'));
    const stop = new AbortController();
    const answer = ask('hi', { signal: stop.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(reports).toEqual([]);
  });

  it('a server that is not there', async () => {
    const gone = await startModelServer();
    await gone.close();
    const readPicture = async () => priced;
    const model = createOpenAiAnalyst({
      endpoint: { baseUrl: gone.url, key: KEY, model: 'm', patience: PATIENCE },
      reserve: free,
      market,
      readPicture,
    });
    await expect(model.answer('hi', { userId: 'ada', history: [], signal: new AbortController().signal })).rejects.toThrow(/fetch failed/);
  });
});
