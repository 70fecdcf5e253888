import * as z from 'zod/mini';
import { MAX_WATCHED, watchedCoins } from '#contract/market/market.ts';
import type { CoinTickFeeds } from '../modules/market/ticks.ts';
import type { RealtimeSocket } from './server.ts';

interface Parts {
  ticks: CoinTickFeeds;
  /** False for a user who changes the coins too often. */
  allow: (userId: string) => boolean;
  /** Told what was ignored, and why. */
  ignored: (reason: string) => void;
}

/** Sends a socket what moves of the coins it says are on its screen, until it is gone. */
export function sendCoinTicks(socket: RealtimeSocket, { ticks, allow, ignored }: Parts): void {
  const feed = ticks.open((moved) => {
    // A slow socket is not queued for: what it misses, it gets with the next look.
    if (!socket.conn.transport.writable) return false;
    return socket.volatile.emit('coin_ticks', moved);
  });

  socket.on('watch_coins', (...sent: unknown[]) => {
    const [ids] = sent;
    // Before parsing, which looks at every item of a list. An empty list costs nothing and is always heard.
    if (!Array.isArray(ids) || ids.length > MAX_WATCHED) return ignored('not a list of coin ids');
    if (ids.length > 0 && !allow(socket.data.identity.userId)) return ignored('too many changes');
    const parsed = z.safeParse(watchedCoins, ids);
    if (!parsed.success) return ignored('not a list of coin ids');
    feed.watch(parsed.data);
  });
  socket.on('disconnect', () => feed.watch([]));
}
