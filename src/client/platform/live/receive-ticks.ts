import { type CoinTick, coinTicks } from '#contract/market/coin-ticks.ts';
import type { MarketSource } from '#contract/market/market.ts';
import { withTick } from '#domain/market/ticks.ts';
import { transact } from '../db/transact.ts';
import type { UserDb } from '../db/user-db.ts';
import { signedIn } from '../session/signed-in.ts';
import { forgetTicks, setTicking, shownCoins, takeTick, whenShown } from './coin-ticks.ts';
import { connectedSocket, withSocket } from './socket.ts';

/** The server accepts this many ids (`watchedCoins` in contract/market). */
const MAX_COINS = 200;
/** Ticks are saved to the device at most this often, ms: a write costs more than a thousand ticks. */
const SAVE_INTERVAL_MS = 15_000;
/** Debounces a page change, in which one list unmounts and another mounts. */
const SETTLE_MS = 50;

/** Ticks that are not saved on the device yet. */
const unsaved = new Map<number, CoinTick>();
let source: MarketSource | undefined;
let saveTimer: ReturnType<typeof setTimeout> | undefined;
let askTimer: ReturnType<typeof setTimeout> | undefined;
/** The ids of the last request; undefined since the socket connected. */
let asked: string | undefined;

const looking = () => document.visibilityState === 'visible';

/** Subscribes to ticks of the coins on the screen. Call it once, at boot. */
export function startTicks(): void {
  withSocket((socket) => {
    socket.on('coin_ticks', takeTicks);
    socket.on('connect', () => {
      asked = undefined;
      ask();
    });
    socket.on('disconnect', () => {
      setTicking(false);
      void saveTicks();
    });
  });
  whenShown(() => {
    clearTimeout(askTimer);
    askTimer = setTimeout(ask, SETTLE_MS);
  });
  document.addEventListener('visibilitychange', ask);
  addEventListener('pagehide', () => void saveTicks());
  ask();
}

/** Sends the ids of the coins on the screen to the server: none while the page is hidden. */
function ask(): void {
  const ids = looking() ? wanted() : [];
  const text = ids.join();
  const socket = connectedSocket();
  if (socket && text !== (asked ?? '')) {
    socket.emit('watch_coins', ids);
    asked = text;
  }
  if (ids.length === 0) setTicking(false);
  void saveTicks();
}

const wanted = (): number[] => [...new Set(shownCoins().flatMap(({ ids }) => ids))].sort((a, b) => a - b).slice(0, MAX_COINS);

/** Parses and applies an event of the socket. */
export function takeTicks(event: unknown): void {
  const parsed = coinTicks.safeParse(event);
  if (!parsed.success || !looking()) return;
  ({ source } = parsed.data);
  for (const tick of parsed.data.coins) {
    unsaved.set(tick.id, tick);
    takeTick(tick);
  }
  setTicking(true);
  saveTimer ??= setTimeout(() => void saveTicks(), SAVE_INTERVAL_MS);
}

/**
 * Saves the ticks to the device, for offline reading and other tabs. For coins that are off the screen, components then
 * read the device's figures.
 */
export async function saveTicks(): Promise<void> {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  const user = signedIn();
  const [ticks, of] = [[...unsaved.values()], source];
  unsaved.clear();
  // After a sign-out or a storage error, the next answer brings the figures again.
  if (user && of && ticks.length > 0) await store(user.db, ticks, of).catch(() => undefined);
  const followed = looking() && connectedSocket() ? wanted() : [];
  forgetTicks(new Set([...followed, ...unsaved.keys()]));
}

async function store(db: UserDb, ticks: CoinTick[], of: MarketSource): Promise<void> {
  await transact(db, [db.coins, db.stamps, db.coinLists, db.coinDetails], async (db) => {
    const coins = await db.coins.bulkGet(ticks.map(({ id }) => id));
    await db.coins.bulkPut(coins.flatMap((coin, at) => (coin ? { ...coin, quote: withTick(coin.quote, ticks[at]) } : [])));
    const savedAt = Date.now();
    for (const { key, keep } of shownCoins()) if ((await keep(db, of)) > 0) await db.stamps.put({ key, savedAt });
  });
}
