import * as z from 'zod/mini';
import { MAX_WATCHED, watchedCoins } from '#contract/market/coin-ticks.ts';
import type { CoinTickFeeds } from '../modules/market/ticks.ts';
import { encodeTicks } from './encode-ticks.ts';
import type { RealtimeSocket } from './server.ts';

interface Parts {
  ticks: CoinTickFeeds;
  /** Returns false for a user who changes the coins too often. */
  allow: (userId: string) => boolean;
  /** Called with the reason when a message is ignored. */
  ignored: (reason: string) => void;
}

/** Sends a socket the price changes of the coins on its screen. */
export function sendCoinTicks(socket: RealtimeSocket, { ticks, allow, ignored }: Parts): void {
  const feed = ticks.open((moved) => {
    // Slow sockets get no queue; they receive missed changes with the next update.
    if (!socket.conn.transport.writable) return false;
    socket.conn.write(encodeTicks(moved));
    return true;
  });

  socket.on('watch_coins', (...sent: unknown[]) => {
    const [ids] = sent;
    // Check before parsing, which reads every item. An empty list costs nothing and is always accepted.
    if (!Array.isArray(ids) || ids.length > MAX_WATCHED) return ignored('not a list of coin ids');
    if (ids.length > 0 && !allow(socket.data.identity.userId)) return ignored('too many changes');
    const parsed = z.safeParse(watchedCoins, ids);
    if (!parsed.success) return ignored('not a list of coin ids');
    feed.watch(parsed.data);
  });
  socket.on('disconnect', () => feed.watch([]));
}
