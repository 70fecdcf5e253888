import { type CoinTick, coinTicks, type MarketSource } from '#contract/market/market.ts';
import { withTick } from '#domain/market/ticks.ts';
import type { UserDb } from '../db/user-db.ts';
import { signedIn } from '../session/signed-in.ts';
import { forgetTicks, setTicking, shownCoins, takeTick, whenShown } from './coin-ticks.ts';
import { connectedSocket, withSocket } from './socket.ts';

/** The server takes so many ids (contract/market `watchedCoins`). */
const MOST_COINS = 200;
/** The device is written to at most this often, ms: a write costs more than a thousand ticks. */
const SAVE_EVERY = 15_000;
/** A page that goes and one that comes are one change. */
const SETTLE_MS = 50;

/** Ticks the device does not have yet. */
const unsaved = new Map<number, CoinTick>();
let source: MarketSource | undefined;
let saveTimer: ReturnType<typeof setTimeout> | undefined;
let askTimer: ReturnType<typeof setTimeout> | undefined;
/** What the server was last asked for; undefined: nothing since it connected. */
let asked: string | undefined;

const looking = () => document.visibilityState === 'visible';

/** Follows the coins on the screen for as long as the page lives. Called once, at boot. */
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

/** Tells the server which coins are looked at: none while the page is hidden. */
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

const wanted = (): number[] => [...new Set(shownCoins().flatMap(({ ids }) => ids))].sort((a, b) => a - b).slice(0, MOST_COINS);

/** Takes what came over the socket. */
export function takeTicks(event: unknown): void {
  const parsed = coinTicks.safeParse(event);
  if (!parsed.success || !looking()) return;
  ({ source } = parsed.data);
  for (const tick of parsed.data.coins) {
    unsaved.set(tick.id, tick);
    takeTick(tick);
  }
  setTicking(true);
  saveTimer ??= setTimeout(() => void saveTicks(), SAVE_EVERY);
}

/**
 * Takes what came to the device, where it is read offline and by other tabs. A coin that is not looked at any more, or
 * not told of, is from then on what the device says.
 */
export async function saveTicks(): Promise<void> {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  const user = signedIn();
  const [ticks, of] = [[...unsaved.values()], source];
  unsaved.clear();
  // Signed out meanwhile, or the device refuses: the next answer brings the figures again.
  if (user && of && ticks.length > 0) await store(user.db, ticks, of).catch(() => undefined);
  const followed = looking() && connectedSocket() ? wanted() : [];
  forgetTicks(new Set([...followed, ...unsaved.keys()]));
}

async function store(db: UserDb, ticks: CoinTick[], of: MarketSource): Promise<void> {
  await db.transaction('rw', db.coins, db.stamps, db.coinLists, db.coinDetails, async () => {
    const coins = await db.coins.bulkGet(ticks.map(({ id }) => id));
    await db.coins.bulkPut(coins.flatMap((coin, at) => (coin ? { ...coin, quote: withTick(coin.quote, ticks[at]) } : [])));
    const savedAt = Date.now();
    for (const { key, keep } of shownCoins()) if ((await keep(db, of)) > 0) await db.stamps.put({ key, savedAt });
  });
}
