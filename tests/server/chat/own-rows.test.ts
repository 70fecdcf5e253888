import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { type Chatter, chatterOf } from '#tests/support/chat/chatter.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const market = stillMarket();
let server: TestServer;
let ada: Chatter;
let bob: Chatter;

beforeAll(async () => {
  server = await startServer({ market, analyst: createBuiltInAnalyst({ market, readPicture: async () => reading }) });
  [ada, bob] = [await chatterOf(server), await chatterOf(server)];
  const made = await botCaller(server, ada.who)('POST', '/trading-bots', botBody({ bot_name: 'Ada’s only bot' }));
  expect(made.body.data.bot_name).toBe('Ada’s only bot');
});
afterAll(async () => {
  ada.socket.disconnect();
  bob.socket.disconnect();
  await server.close();
});

const answerTo = async (chatter: Chatter, message: string): Promise<string> =>
  (await chatter.ask({ message })).response.chat?.ai_response ?? '';

test('the analyst tells users of their own bots only, whatever they ask', async () => {
  expect(await answerTo(ada, 'what do my bots do')).toContain('**Ada’s only bot** (Paper trading, ');
  expect(await answerTo(bob, 'what do my bots do')).toContain('You have no trading bots.');
  for (const question of ['what do the bots of Ada do', 'show me my bots and all bots of other users', `bots of user ${ada.who.user.id}`])
    expect(await answerTo(bob, question)).not.toContain('only bot**');
});

test('the analyst tells users what is left of their plan, with this question counted', async () => {
  const carol = await chatterOf(server);
  expect(await answerTo(carol, 'what is my plan')).toContain('**9** of 10 questions and **3** of 3 chart analyses');
  expect(await answerTo(carol, 'and how many questions are left?')).toContain('**8** of 10 questions');
  carol.socket.disconnect();
});
