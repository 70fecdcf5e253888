import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnswerFigures, type CurrentFigure, currentFigureAnswer, readFigures } from '#contract/chat/answer-figures.ts';
import type { Message } from '#contract/chat/chat.ts';
import { chats } from '#server/db/schema/chat.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { STAND_IN, withStandIn } from '#server/ports/analyst/with-stand-in.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { changingMarket, stillMarket } from '#tests/support/market/market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const scripted = scriptedAnalyst();
const still = stillMarket();
const builtIn = createBuiltInAnalyst({ market: still, readPicture: async () => reading });
let market = still;
let server: TestServer;
let ada: Chatter;

beforeAll(async () => {
  server = await startServer({ market: changingMarket(() => market), analyst: scripted });
});
beforeEach(async () => {
  ada = await chatterOf(server);
  scripted.respond = (question, asked) => builtIn.answer(question, asked);
});
afterEach(() => {
  market = still;
  ada.socket.disconnect();
  scripted.reset();
});
afterAll(() => server.close());

const askFor = async (message: string): Promise<Message> => {
  const { question } = await ada.ask({ message });
  const [stored] = await ada.chats(question.archive_id);
  if (!stored) throw new Error('nothing is stored');
  return stored;
};
const listOf = (message: Message | undefined): AnswerFigures['list'] => readFigures(message?.figures)?.list ?? [];
const shown = (message: Message) => listOf(message).map(({ at, length }) => message.ai_response.slice(at, at + length));
const lookUp = (subject: object) => ada.call('/chat/figures/current', { method: 'POST', body: subject });
const current = async (subject: object): Promise<CurrentFigure> => currentFigureAnswer.parse(await (await lookUp(subject)).json()).data;

describe('the figures of an answer', () => {
  test('are stored with it, and told to the page that waits for it', async () => {
    const { response, question } = await ada.ask({ message: 'bitcoin price' });
    const [stored] = await ada.chats(question.archive_id);
    expect(listOf(stored)[0]).toMatchObject({ label: 'Price of Bitcoin (BTC)', unit: 'USD', now: { metric: 'price', coin: 1 } });
    expect(response.chat?.figures).toEqual(stored?.figures);
  });

  test('keep their places behind the note of the stand-in and the description of a picture', async () => {
    const failing = { kind: 'model' as const, answer: () => Promise.reject(new Error('away')) };
    const standIn = withStandIn({ model: failing, builtIn, patience: 1000, report: () => undefined });
    scripted.respond = (question, asked) => standIn.answer(question, { ...asked, userId: 'ada' });
    const stored = await askFor('bitcoin price');
    expect(stored.ai_response).toContain(STAND_IN);
    expect(shown(stored)[0]).toMatch(/^\$[\d,.]+$/);

    const picture = { type: 'image/png', bytes: Buffer.from('') };
    const { text, figures } = await builtIn.answer('this bitcoin chart', { history: [], picture, signal: new AbortController().signal });
    const [first] = figures?.list ?? [];
    expect(text.slice(first?.at, (first?.at ?? 0) + (first?.length ?? 0))).toMatch(/^\$[\d,.]+$/);
  });

  test.each([
    ['half of a character, as a name that was cut', '🌊'.slice(0, 1)],
    ['NUL', '\0'],
  ])('are left out if one has %s, which no database takes, and the answer is stored', async (_what, label) => {
    scripted.respond = async (question, asked) => {
      const { figures, ...reply } = await builtIn.answer(question, asked);
      const list = figures?.list.map((figure) => ({ ...figure, label })) ?? [];
      return { ...reply, choices: [`A${label}?`], figures: { list, sources: figures?.sources ?? [] } };
    };
    const stored = await askFor('bitcoin price');
    expect([stored.failed, listOf(stored)]).toEqual([false, []]);
    expect(stored.ai_response).toMatch(/\$[\d,]+/);
  });

  test('are left out where the stored text is not the analyst’s own', async () => {
    scripted.respond = async (question, asked) => {
      const reply = await builtIn.answer(question, asked);
      return { ...reply, text: `\u0000${reply.text}` };
    };
    expect((await askFor('bitcoin price')).figures).toBeNull();
  });

  test('go when the question is asked again', async () => {
    const stored = await askFor('bitcoin price');
    scripted.respond = async () => 'No figures.';
    await ada.ask({ archive_id: stored.archive_id, chat_id: stored.id, message: 'hello' });
    expect((await ada.chats(stored.archive_id))[0]).toMatchObject({ ai_response: 'No figures.', figures: null });
  });

  test('of a shape that this version cannot read are none', async () => {
    const stored = await askFor('bitcoin price');
    await server.db
      .update(chats)
      .set({ figures: { sources: [], list: [{ at: 'x' }] } })
      .where(eq(chats.id, stored.id));
    expect((await ada.chats(stored.archive_id))[0]).toMatchObject({ ai_response: stored.ai_response, figures: null });
  });
});

describe('the current value of a figure', () => {
  test('is the market’s, with source and time', async () => {
    const { coins, source } = await still.snapshot();
    expect(await current({ metric: 'price', coin: 1 })).toEqual({ value: coins[0]?.quote.USD.price, source });
  });

  test('is null for a coin that is gone', async () => {
    expect((await current({ metric: 'price', coin: 999_999_999 })).value).toBeNull();
  });

  test('is refused in words while the market cannot be read', async () => {
    market = { ...still, snapshot: () => Promise.reject(new Error('the provider is away')) };
    const refused = await lookUp({ metric: 'price', coin: 1 });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'market_away' });
  });

  test('is refused for anything but a figure', async () => {
    for (const body of [
      {},
      { metric: 'secret' },
      { metric: 'price', coin: 0 },
      { metric: 'price', coin: 1.5 },
      { metric: 'price', coin: '1' },
      { metric: 'high', coin: 1, days: 1e9 },
      { metric: 'price', coin: 1, times: 'x' },
      { metric: 'change', coin: 1, period: '__proto__' },
    ])
      expect((await lookUp(body)).status, JSON.stringify(body)).toBe(400);
  });

  test('needs a signed-in user', async () => {
    expect((await server.post('/chat/figures/current', { metric: 'price', coin: 1 })).status).toBe(401);
  });

  test('is looked up at most 60 times a minute by a user', async () => {
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await lookUp({ metric: 'price', coin: 1 })).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});
