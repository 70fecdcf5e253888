import { afterEach, expect, test, vi } from 'vitest';
import { createFanOut } from '#server/fan-out/create-fan-out.ts';
import type { Change, Channel, FanOut } from '#server/fan-out/fan-out.ts';

const timing = { check: 10, limit: 100, firstRetry: 5, maxRetry: 20 };
const ids = { userId: '00000000-0000-4000-8000-000000000001', id: '00000000-0000-4000-8000-000000000002' };
const open: FanOut[] = [];

afterEach(async () => {
  for (const fanOut of open.splice(0)) await fanOut.close();
});

/** A channel in memory. `hears`, `answers` and `accepts` say how its connections behave. */
function memoryChannel() {
  const subscribers = new Map<(message: string) => void, (error: Error) => void>();
  const state = { hears: true, answers: true, accepts: true, subscriptions: 0 };
  const channel: Channel = {
    async send(messages) {
      for (const hear of subscribers.keys()) for (const message of messages) if (state.hears) hear(message);
    },
    async subscribe(hear, lose, signal) {
      if (!state.accepts) throw new Error('refused');
      state.subscriptions += 1;
      subscribers.set(hear, lose);
      signal.addEventListener('abort', () => subscribers.delete(hear));
      return () => (state.answers ? Promise.resolve() : new Promise(() => undefined));
    },
    close: async () => undefined,
  };
  const loseAll = () => {
    for (const lose of subscribers.values()) lose(new Error('broken'));
  };
  return { channel, state, loseAll, open: () => subscribers.size };
}

type Memory = ReturnType<typeof memoryChannel>;

function fanOutOn(channel: Channel) {
  const log = { warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
  const listener = { onChange: vi.fn(), onGap: vi.fn() };
  const fanOut = createFanOut(channel, { log, timing });
  open.push(fanOut);
  return { ...fanOut, log, listener };
}

test('processes hear each other and not themselves', async () => {
  const { channel } = memoryChannel();
  const [one, two] = [fanOutOn(channel), fanOutOn(channel)];
  await Promise.all([one.listen(one.listener), two.listen(two.listener)]);
  one.publish({ ...ids, kind: 'answer' });
  await vi.waitFor(() => expect(two.listener.onChange).toHaveBeenCalledExactlyOnceWith({ ...ids, kind: 'answer' }));
  expect(one.listener.onChange).not.toHaveBeenCalled();
});

test('a batch whose answer is lost is sent again, and heard once', async () => {
  const { channel } = memoryChannel();
  const { send } = channel;
  let losses = 1;
  const sent = vi.spyOn(channel, 'send').mockImplementation(async (messages) => {
    await send(messages);
    if (messages.some((message) => message.includes('answer')) && losses-- > 0) throw new Error('The answer was lost');
  });
  const [one, two] = [fanOutOn(channel), fanOutOn(channel)];
  await Promise.all([one.listen(one.listener), two.listen(two.listener)]);
  const heard: string[] = [];
  two.listener.onChange.mockImplementation(({ kind }) => heard.push(kind));
  two.market.listen((key) => heard.push(key));
  sent.mockClear();
  one.publish({ ...ids, kind: 'answer' });
  one.market.publish('listings');
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  one.publish({ ...ids, kind: 'title' });
  await vi.waitFor(() => expect(heard).toContain('title'));
  expect(heard).toEqual(['answer', 'listings', 'title']);
});

test('messages of an earlier version, which have no number, are all heard', async () => {
  const { channel } = memoryChannel();
  const { listen, listener } = fanOutOn(channel);
  await listen(listener);
  const old = JSON.stringify({ from: ids.id, ...ids, kind: 'answer' });
  await channel.send([old, old]);
  expect(listener.onChange).toHaveBeenCalledTimes(2);
});

test.for([
  ['breaks', ({ loseAll }: Memory): void => loseAll()],
  ['answers no more', ({ state }: Memory): void => void Object.assign(state, { answers: false })],
] as const)('a connection that %s is lost, reported once, and opened again after a while', async ([, disturb]) => {
  const memory = memoryChannel();
  const { listen, listener, isListening, lostCount, log } = fanOutOn(memory.channel);
  expect(isListening()).toBe(true);
  await listen(listener);
  expect([isListening(), lostCount(), listener.onGap.mock.calls.length]).toEqual([true, 0, 1]);
  memory.state.accepts = false;
  disturb(memory);
  await vi.waitFor(() => expect([isListening(), lostCount(), memory.open()]).toEqual([false, 1, 0]));
  Object.assign(memory.state, { accepts: true, answers: true });
  await vi.waitFor(() => expect(isListening()).toBe(true));
  expect([lostCount(), listener.onGap.mock.calls.length, memory.open()]).toEqual([1, 2, 1]);
  expect(log.warn).toHaveBeenCalledOnce();
  expect(log.info).toHaveBeenCalledOnce();
});

test('a connection that hears nothing, as through PgBouncer, never counts as listening', async () => {
  const memory = memoryChannel();
  memory.state.hears = false;
  const { listen, listener, isListening, lostCount } = fanOutOn(memory.channel);
  await listen(listener);
  await vi.waitFor(() => expect(memory.state.subscriptions).toBeGreaterThan(1));
  expect([isListening(), lostCount(), listener.onGap.mock.calls.length]).toEqual([false, 0, 0]);
});

test('what is sent has ids alone, and nothing else that was published', async () => {
  const { channel } = memoryChannel();
  const send = vi.spyOn(channel, 'send');
  const { publish, market } = fanOutOn(channel);
  publish({ ...ids, kind: 'answer', text: 'secret '.repeat(2_000) } as Change);
  market.publish('listings');
  const sent = () => send.mock.calls.flatMap(([messages]) => messages.map((message) => JSON.parse(message)));
  const from = expect.stringMatching(/^[0-9a-f-]{36}$/);
  await vi.waitFor(() =>
    expect(sent()).toEqual([
      { from, ...ids, kind: 'answer', number: 1 },
      { from, kind: 'market', key: 'listings', number: 2 },
    ]),
  );
});

const long = 'x'.repeat(9_000);
test.for<[string, (fanOut: FanOut) => void]>([
  ['id', ({ publish }) => publish({ ...ids, kind: 'answer', id: long })],
  ['user', ({ publish }) => publish({ ...ids, kind: 'answer', userId: long })],
  ['kind', ({ publish }) => publish({ ...ids, kind: long } as unknown as Change)],
  ['key', ({ market }) => market.publish(long)],
])('a %s that is too long is not sent, and holds up no other message', async ([, publishLong]) => {
  const { channel } = memoryChannel();
  const send = vi.spyOn(channel, 'send');
  const { log, ...fanOut } = fanOutOn(channel);
  publishLong(fanOut);
  fanOut.publish({ ...ids, kind: 'title' });
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]?.[0]).toEqual([expect.stringContaining('"kind":"title"')]);
  expect(log.warn).toHaveBeenCalledOnce();
});
