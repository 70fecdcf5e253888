import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatUsd } from '#domain/format/format-number.ts';
import type { Analyst, Context, Turn } from '#server/ports/analyst/analyst.ts';
import { createBuiltInAnalyst } from '#server/ports/analyst/built-in-analyst.ts';
import { openAnalyst } from '#server/ports/analyst/open-analyst.ts';
import { createOpenAiAnalyst } from '#server/ports/analyst/openai/openai-analyst.ts';
import { STAND_IN, withStandIn } from '#server/ports/analyst/with-stand-in.ts';
import { reading } from '#tests/support/charts/chart-reading.ts';
import { callTools, free, hang, later, say, startModelServer } from '#tests/support/chat/openai.ts';
import {
  callLikeOllama,
  callWithoutIds,
  failInStream,
  leaveOpen,
  loading,
  noTools,
  page,
  piece,
  refusals,
  repeat,
  reset,
  sayCounted,
  sentAs,
  stream,
  unknownField,
  usageChunk,
  watchLeft,
  whole,
  withRoomFor,
} from '#tests/support/chat/runners.ts';
import { neverSpent } from '#tests/support/market/exchanges/counting-budgets.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { isNightly } from '#tests/support/nightly.ts';

const market = stillMarket();
const { coins } = await market.snapshot();
const price = formatUsd(coins.find(({ id }) => id === 1)?.quote.USD.price);
const LEVELS = { name: 'get_bitcoin_levels', arguments: {} };
const QUOTES = { name: 'get_quotes', arguments: { coins: ['BTC'] } };

const server = await startModelServer();
afterAll(() => server.close());

const reports: unknown[] = [];
let analyst: Analyst;
const open = (context?: number, patience = 15_000) => {
  const readPicture = async () => reading;
  analyst = withStandIn({
    model: createOpenAiAnalyst({
      endpoint: { baseUrl: server.url, key: undefined, model: 'local', patience, context },
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
  server.plays = [say('Nothing was scripted.')];
});

const ask = (question: string, context: Partial<Context> = {}) =>
  analyst.answer(question, { userId: 'ada', history: [], signal: new AbortController().signal, ...context });
const play = (...plays: typeof server.plays) => {
  server.plays = plays;
};
const expectBuiltIn = (text: string) => {
  expect(text.startsWith(`${STAND_IN}\n\n`)).toBe(true);
  expect(text).toContain(price);
};

describe('a local runner', () => {
  it('without a key gets no Authorization header', async () => {
    play(say('Hello.'));
    await ask('hi');
    expect(server.requests[0]?.authorization).toBeUndefined();
  });

  it('that loads its model is asked again until it answers, within the patience', async () => {
    play(loading, loading, say('Loaded.'));
    open(undefined, 18_000);
    expect((await ask('hi')).text).toMatch(/^Loaded\./);
    expect(server.requests).toHaveLength(3);

    play(loading);
    open(undefined, 1_500);
    expectBuiltIn((await ask('price of bitcoin')).text);
    expect(String(reports)).toContain('answered 503');
  });

  it('may send all calls with the same index', async () => {
    play(callLikeOllama(QUOTES, LEVELS), say(`Bitcoin is at ${price}.`));
    const { text, figures } = await ask('price of bitcoin');
    expect(text).toContain(price);
    expect(figures?.list).toHaveLength(1);
    expect(sentAs(server, 'tool')).toHaveLength(2);
    const { tool_calls } = server.requests[1]?.body.messages.find(({ role }) => role === 'assistant') ?? {};
    expect(tool_calls).toMatchObject([
      { id: 'call_0x', function: { name: 'get_quotes' } },
      { id: 'call_1x', function: { name: 'get_bitcoin_levels' } },
    ]);
  });

  it('may send calls without ids, and arguments that are no text', async () => {
    play(callWithoutIds(QUOTES, LEVELS), say(`Bitcoin is at ${price}.`));
    expect((await ask('price of bitcoin')).text).toContain(price);
    const ids = server.requests[1]?.body.messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(ids).toEqual(['call_0', 'call_1']);
    expect(String(sentAs(server, 'tool')[0])).toContain('"Bitcoin"');
  });

  it.each(Object.entries(noTools))(
    'without tools, as %s says, reads about them in its instructions and calls them in its text',
    async (_name, refusal) => {
      play(
        refusal,
        say('<tool_call>\n{"name": "get_quotes", "arguments": {"coins": ["BTC"]}}\n</tool_call>'),
        say(`Bitcoin is at ${price}.`),
      );
      const { text, figures } = await ask('price of bitcoin');
      expect(text.startsWith(`Bitcoin is at ${price}.`)).toBe(true);
      expect(figures?.list).toHaveLength(1);
      const [refused, asked, answered] = server.requests.map(({ body }) => body);
      expect(refused).toHaveProperty('tools');
      expect(asked).not.toHaveProperty('tools');
      expect(asked?.messages[0]?.content).toContain('get_bitcoin_days');
      expect(answered?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(/^<tool_response>\n\{"asOf"/) });

      // The next question knows it.
      play(say('Hello.'));
      await ask('hi');
      expect(server.requests).toHaveLength(4);
    },
  );

  it.each([
    ['Hermes and Qwen', '<tool_call>{"name":"get_quotes","arguments":{"coins":["BTC"]}}</tool_call>'],
    ['Hermes, cut off', 'Let me look.\n<tool_call>{"name":"get_quotes","arguments":{"coins":["BTC"]}}'],
    ['Llama 3.1', '<|python_tag|>{"type":"function","name":"get_quotes","parameters":{"coins":["BTC"]}}<|eom_id|>'],
    ['Llama 3.2', '<function=get_quotes>{"coins":["BTC"]}</function>'],
    ['Qwen Coder', '<tool_call>\n<function=get_quotes>\n<parameter=coins>\n["BTC"]\n</parameter>\n</function>\n</tool_call>'],
    ['Mistral', '[TOOL_CALLS][{"name":"get_quotes","arguments":{"coins":["BTC"]}}]</s>'],
    ['a code block', 'I will call this:\n```json\n{"name":"get_quotes","arguments":{"coins":["BTC"]}}\n```'],
    ['JSON alone', '{"name":"get_quotes","parameters":{"coins":["BTC"]}}'],
    ['JSON of another form', '{"type":"function","function":{"name":"get_quotes","arguments":"{\\"coins\\":[\\"BTC\\"]}"}}'],
    [
      'a thought first',
      '<think>I need <tool_call> for this.</think>\n<tool_call>{"name":"get_quotes","arguments":{"coins":["BTC"]}}</tool_call>',
    ],
  ])('may call tools in its text, as %s', async (_name, written) => {
    play(say(written), say(`<think>Now I know.</think>Bitcoin is at ${price}.`));
    const { text, figures } = await ask('price of bitcoin');
    expect(text.startsWith(`Bitcoin is at ${price}.`)).toBe(true);
    expect(figures?.list).toHaveLength(1);
    expect(String(sentAs(server, 'user').at(-1))).toContain('"Bitcoin"');
  });

  it('never shows a call to users', async () => {
    play(say('<tool_call>{"name":"get_quotes","arguments":{"coins":["BTC"]}}</tool_call>'));
    expectBuiltIn((await ask('price of bitcoin')).text);
    play(say('Sure: <tool_call>{broken'));
    expectBuiltIn((await ask('price of bitcoin')).text);
    play(say('<think>All of it is a thought'));
    expectBuiltIn((await ask('price of bitcoin')).text);
  });

  it('may show JSON that is no call', async () => {
    play(say('```json\n{"name":"Bitcoin"}\n```'));
    expect((await ask('hi')).text).toContain('{"name":"Bitcoin"}');
  });
});

describe('the patience of the server', () => {
  it.runIf(isNightly)(
    'is ten seconds: a first token after nine is waited for, and after eleven the built-in analyst has answered',
    async () => {
      const ai = { baseUrl: server.url, key: undefined, model: 'slow', context: undefined, prices: undefined, dailyBudget: undefined };
      const real = openAnalyst({ ai }, { market, budgets: neverSpent, readPicture: async () => reading, report: () => undefined });
      const asked = () => real.answer('price of bitcoin', { userId: 'ada', history: [], signal: new AbortController().signal });
      play(later(() => 9_000, say('Slow but sure.')));
      expect((await asked()).text).toMatch(/^Slow but sure\./);
      play(later(() => 11_000, say('Too slow.')));
      expectBuiltIn((await asked()).text);
    },
    40_000,
  );
});

describe('a small context', () => {
  const history: Turn[] = Array.from({ length: 10 }, (_, at) => ({ question: `question ${at}?`, answer: `answer ${at} `.repeat(100) }));
  const characters = (index: number) => JSON.stringify(server.requests[index]?.body).length;

  it('gets the question whole, the latest turns, and results of tools cut where they have room', async () => {
    open(4_096);
    play(callTools({ name: 'get_ranking', arguments: { by: 'gainers', count: 20 } }), say('These are the first.'));
    const question = `what rose most? ${'please '.repeat(60)}`;
    expect((await ask(question, { history })).text).toContain('These are the first.');
    expect(characters(0)).toBeLessThan(3 * 4_096);
    expect(characters(1)).toBeLessThan(3 * 4_096);
    for (const { body } of server.requests) {
      expect(body.messages.filter(({ content }) => content === question)).toHaveLength(1);
      expect(body.max_tokens).toBe(1_024);
    }
    expect(server.requests[0]?.body.messages[1]).not.toMatchObject({ content: 'question 0?' });
    expect(sentAs(server, 'tool')).toEqual([expect.stringMatching(/^\{"asOf".*[\]"}\w] … \(cut, the rest has no room\)$/)]);
  });

  it('that cannot hold the question is not asked', async () => {
    open(2_048);
    expectBuiltIn((await ask(`price of bitcoin ${'1234567890 '.repeat(300)}`)).text);
    expect(server.requests).toHaveLength(0);
  });

  it.each(Object.entries(refusals))('that a refusal of %s names is kept to from then on', async (_name, refusal) => {
    play(withRoomFor(9_000, refusal, 'Short enough.'));
    expect((await ask('hi', { history })).text).toMatch(/^Short enough\./);
    expect(characters(server.requests.length - 1)).toBeLessThan(9_000);
    const asked = server.requests.length;
    await ask('hi', { history });
    expect(server.requests).toHaveLength(asked + 1);
  });

  it('that takes nothing at all leaves the answer to the built-in analyst', async () => {
    play(refusals['llama.cpp']);
    expectBuiltIn((await ask('price of bitcoin')).text);
    expect(server.requests.length).toBeLessThan(6);
  });
});

describe('an endpoint', () => {
  it.each([
    ['max_tokens', "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."],
    ['stream_options', 'Extra inputs are not permitted: stream_options'],
  ])('that refuses %s is asked without it', async (field, message) => {
    play(unknownField(message), say('Hello.'));
    expect((await ask('hi')).text).toMatch(/^Hello\./);
    expect(server.requests[0]?.body).toHaveProperty(field);
    expect(server.requests[1]?.body).not.toHaveProperty(field);
  });

  it.each([
    ['counts tokens in a chunk without choices', sayCounted('Hello there.', 10, 3)],
    ['counts tokens in a chunk whose choices are null', sayCounted('Hello there.', 10, 3, null)],
    ['sends no [DONE]', stream(piece({ content: 'Hello there.' }), piece({}, 'stop'))],
    ['sends no reason to finish', stream(piece({ content: 'Hello there.' }), 'data: [DONE]\n\n')],
    ['leaves the stream open', leaveOpen(piece({ content: 'Hello there.' }), piece({}, 'stop'), usageChunk(1, 1))],
    [
      'sends comments between',
      stream(': keep-alive\n\n', piece({ content: 'Hello ' }), ': ping\n\n', piece({ content: 'there.' }), piece({}, 'stop')),
    ],
    [
      'sends comments before it answers',
      stream(...Array(50).fill(': keep-alive\n\n'), piece({ content: 'Hello there.' }), piece({}, 'stop')),
    ],
    [
      'thinks aloud first',
      stream(piece({ reasoning_content: 'Hm.' }), piece({ reasoning: 'Hm.' }), piece({ content: 'Hello there.' }), piece({}, 'stop')),
    ],
    ['does not stream', whole('Hello there.')],
    ['names another type', page('text/plain', piece({ content: 'Hello there.' }) + piece({}, 'stop'))],
    ['sends one long line', page('text/event-stream', piece({ content: `Hello there.${' '.repeat(50_000)}` }, 'stop'))],
  ])('may answer so that it %s', async (_name, each) => {
    play(each);
    expect((await ask('hi')).text).toMatch(/^Hello there\.\n\nData/);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['a reset in mid-stream', reset],
    ['an error in mid-stream', failInStream],
    ['an error of llama.cpp in mid-stream', stream(piece({ content: 'Half' }), 'data: {"error":{"code":500,"message":"no"}}\n\n')],
    ['a page instead of an answer', page('text/html', '<!doctype html><p>Sign in</p>')],
  ])('is asked once more after %s', async (_name, each) => {
    play(each, say('All is well.'));
    expect((await ask('hi')).text).toMatch(/^All is well\./);
    play(each);
    expectBuiltIn((await ask('price of bitcoin')).text);
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    ['never ends', repeat(piece({ content: 'and on '.repeat(100) }))],
    ['never ends to think', repeat(piece({ reasoning_content: 'hm '.repeat(100) }))],
    ['never ends a line', repeat(`data: ${'x'.repeat(10_000)}`)],
    ['has 100 KB in one line', stream(piece({ content: 'x'.repeat(100_000) }), piece({}, 'stop'))],
    ['calls a tool with 100 KB', stream(piece({ tool_calls: [{ function: { name: 'get_quotes', arguments: 'x'.repeat(100_000) } }] }))],
  ])('whose answer %s is left, and asked no second time', async (_name, each) => {
    play(each);
    expectBuiltIn((await ask('price of bitcoin')).text);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['nothing', hang()],
    ['comments', repeat(': keep-alive\n\n', 20)],
    ['empty chunks', repeat(piece({ role: 'assistant', content: '' }), 20)],
    ['a first word', hang('Half')],
  ])('that is silent after %s is left: its request is aborted, and the built-in analyst answers', async (_name, each) => {
    open(undefined, 1_500);
    const watched = watchLeft(each);
    play(watched.play);
    expectBuiltIn((await ask('price of bitcoin')).text);
    await expect.poll(watched.left).toBe(1);
    expect(server.requests).toHaveLength(1);
    expect(String(reports)).toContain('no token from the model for 1500 ms');
  });
});
