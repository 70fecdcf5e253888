import { act, cleanup, render } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userDb } from '#client/platform/db/user-db.ts';
import { type ShownCoins, ticks, useFiguresInterval, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { saveTicks, startTicks, takeTicks } from '#client/platform/live/receive-ticks.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { CoinTick } from '#contract/market/coin-ticks.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { coin, source } from '#tests/unit/client/features/market/fake-market.tsx';

/** A fake of the page's socket, with a settable connection and listeners that a test can call. */
const live = vi.hoisted(() => ({ connected: true, listeners: new Map<string, (event?: unknown) => void>(), emit: vi.fn() }));

vi.mock('#client/platform/live/socket.ts', () => {
  const socket = { on: (event: string, listener: () => void) => live.listeners.set(event, listener), emit: live.emit };
  return {
    connectedSocket: () => (live.connected ? socket : undefined),
    withSocket: (configure: (it: typeof socket) => void) => configure(socket),
  };
});

let users = 0;
let userId: string;
const db = () => userDb(userId);
let visibility: DocumentVisibilityState = 'visible';
Object.defineProperty(document, 'visibilityState', { get: () => visibility, configurable: true });

const asked = () => live.emit.mock.calls.filter(([name]) => name === 'watch_coins').map(([, ids]) => ids);
const tickOf = (id: number, price: number): CoinTick => {
  const figures = { price, market_cap: price * 10, percent_change_24h: 3 };
  return { id, quote: { USD: figures, BTC: { ...figures, price: price / 2 } } };
};
const tell = (...coins: CoinTick[]) => takeTicks({ source: { ...source, asOf: '2026-11-21T11:00:00.000Z' }, coins });
const look = (now: DocumentVisibilityState) => {
  visibility = now;
  document.dispatchEvent(new Event('visibilitychange'));
};

const shows = (key: string, ...ids: number[]): ShownCoins => ({
  key,
  ids,
  keep: (it, of) => it.coinLists.update(key, { source: of }),
});

function Shown({ coins }: { coins: ShownCoins }) {
  useShownCoins(coins);
  return <p>{useFiguresInterval()}</p>;
}

const Screen = ({ lists }: { lists: ShownCoins[] }) => lists.map((each) => <Shown key={each.key} coins={each} />);

startTicks();

beforeEach(async () => {
  users += 1;
  userId = `ticks-${users}`;
  live.connected = true;
  await signIn(makeTokens({ sub: userId }), true);
  live.listeners.get('connect')?.();
  live.emit.mockReset(); // the previous test's subscription has ended
});

afterEach(async () => {
  cleanup();
  visibility = 'visible';
  await saveTicks();
  await endSession();
});

// The subscription ends asynchronously, so wait for it before this file ends.
afterAll(async () => {
  live.listeners.get('connect')?.();
  live.emit.mockReset();
  const { unmount } = render(<Screen lists={[shows('last', 9)]} />);
  await vi.waitFor(() => expect(asked()).toEqual([[9]]));
  unmount();
  await vi.waitFor(() => expect(asked()).toEqual([[9], []]));
});

describe('subscribing to ticks', () => {
  it('sends each visible coin once, and an empty list when the screen closes', async () => {
    const { unmount } = render(<Screen lists={[shows('a', 3, 1), shows('b', 1, 2)]} />);
    await vi.waitFor(() => expect(asked()).toEqual([[1, 2, 3]]));
    unmount();
    await vi.waitFor(() => expect(asked()).toEqual([[1, 2, 3], []]));
  });

  it('sends one update when one page replaces another', async () => {
    const { rerender } = render(<Screen lists={[shows('a', 1, 2)]} />);
    await vi.waitFor(() => expect(asked()).toHaveLength(1));
    rerender(<Screen lists={[shows('b', 2, 1)]} />);
    rerender(<Screen lists={[shows('c', 7)]} />);
    await vi.waitFor(() => expect(asked()).toEqual([[1, 2], [7]]));
  });

  it('requests no ticks while the page is hidden, and again when it is visible or reconnects', async () => {
    render(<Screen lists={[shows('a', 1)]} />);
    await vi.waitFor(() => expect(asked()).toEqual([[1]]));
    look('hidden');
    look('visible');
    live.listeners.get('connect')?.();
    expect(asked()).toEqual([[1], [], [1], [1]]);
  });

  it('subscribes to no more coins than the server allows', async () => {
    render(<Screen lists={[shows('a', ...Array.from({ length: 300 }, (_, at) => at + 1))]} />);
    await vi.waitFor(() => expect(asked()[0]).toHaveLength(200));
  });
});

describe('a tick', () => {
  it('notifies only the listeners of its coin', () => {
    const heard = vi.fn();
    const stop = ticks.follow(1, heard);
    const tick = tickOf(1, 5);
    tell(tick, tickOf(2, 6));
    expect(heard.mock.calls).toEqual([[tick]]);
    expect(ticks.latest(1)).toEqual(tick);
    stop();
    tell(tickOf(1, 7));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('is ignored if it breaks the contract or the page is hidden', () => {
    takeTicks({ coins: [tickOf(1, 5)] });
    takeTicks('nonsense');
    look('hidden');
    tell(tickOf(1, 5));
    expect(ticks.latest(1)).toBeUndefined();
  });

  it('updates only its own figures on the device, and renews the timestamp of the lists that show the coin', async () => {
    const bitcoin = coin(1, 'Bitcoin', 'BTC');
    await db().coins.put(bitcoin);
    await db().coinLists.put({ key: 'a', ids: [1], source });
    render(<Screen lists={[shows('a', 1), shows('not stored', 1)]} />);
    tell(tickOf(1, 5), tickOf(99, 5));
    await saveTicks();
    expect(await db().coins.toArray()).toEqual([
      { ...bitcoin, quote: { USD: { ...bitcoin.quote.USD, price: 5, market_cap: 50, percent_change_24h: 3 } } },
    ]);
    expect((await db().coinLists.get('a'))?.source.asOf).toBe('2026-11-21T11:00:00.000Z');
    expect((await db().stamps.toArray()).map(({ key }) => key)).toEqual(['a']);
  });

  it('stays in memory only for visible coins, because the device may get newer figures for others', async () => {
    render(<Screen lists={[shows('a', 1)]} />);
    tell(tickOf(1, 5), tickOf(2, 5));
    await saveTicks();
    expect([ticks.latest(1)?.id, ticks.latest(2)]).toEqual([1, undefined]);
    live.connected = false;
    live.listeners.get('disconnect')?.();
    await vi.waitFor(() => expect(ticks.latest(1)).toBeUndefined());
  });

  it('replaces polling until ticks stop', async () => {
    const { container } = render(<Screen lists={[shows('a', 1)]} />);
    const interval = () => Number(container.textContent);
    const without = interval();
    act(() => tell(tickOf(1, 5)));
    expect(interval()).toBeGreaterThan(without);
    await act(async () => live.listeners.get('disconnect')?.());
    expect(interval()).toBe(without);
  });
});
