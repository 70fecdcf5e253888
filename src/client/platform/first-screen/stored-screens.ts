import { deviceDb, type ScreenRow } from '../db/device-db.ts';
import { transact } from '../db/transact.ts';

/** Screens on a device. Those of coins and of addresses with a search give way first, then the oldest. */
const MAX_SCREENS = 14;
/** Characters of one screen's HTML. */
export const MAX_HTML_LENGTH = 60_000;

const CHAT = '/chat/';

/** Whether a user has many pages of this kind. Users start the app with the other kinds. */
const givesWay = ({ address }: ScreenRow): boolean => address.startsWith('/crypto/details/') || address.includes('?');

/**
 * Stores the first screen of a page. Does nothing unless its session is still the device's and is remembered: a screen
 * must not outlive its session.
 */
export async function storeScreen(screen: ScreenRow): Promise<void> {
  if (screen.html.length > MAX_HTML_LENGTH) return;
  await transact(deviceDb, [deviceDb.session, deviceDb.screens], async (deviceDb) => {
    const session = await deviceDb.session.get('current');
    if (!session || session.window !== null || session.sessionId !== screen.sessionId) return;
    // One conversation: the last.
    if (screen.address.startsWith(CHAT)) await deviceDb.screens.where('address').startsWith(CHAT).delete();
    await deviceDb.screens.put(screen);
    const rows = await deviceDb.screens.toArray();
    rows.sort((one, other) => Number(givesWay(one)) - Number(givesWay(other)) || other.savedAt - one.savedAt);
    await deviceDb.screens.bulkDelete(rows.slice(MAX_SCREENS).map(({ address }) => address));
  });
}

/** Deletes all stored screens: they may show what the user has deleted. */
export const clearScreens = (): Promise<void> => deviceDb.screens.clear();

/**
 * Deletes something that stored screens may show. They go before it, because the browser may be killed after each step, and
 * after it, because a tab may have stored one meanwhile.
 */
export async function deleteWithScreens(change: () => Promise<void>): Promise<void> {
  await clearScreens();
  await change();
  await clearScreens();
}
