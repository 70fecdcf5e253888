import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterContent } from '../platform/after-content.ts';
import { dropEarlyAnswer } from '../platform/api/early-answer.ts';
import { askAhead, dropResults, readAhead } from '../platform/cache/read-ahead.ts';
import { endTransactionsWithPage } from '../platform/db/end-transactions.ts';
import { closeUserDb, hasUserDb } from '../platform/db/open-dbs.ts';
import type { UserDb } from '../platform/db/user-db.ts';
import { firstScreen } from '../platform/first-screen/first-screen.ts';
import { dropFirstScreen, guardFirstScreen } from '../platform/first-screen/guard-first-screen.ts';
import { chosenMoney, closeOnboarding, isOnboardingClosed } from '../platform/flags.ts';
import { watchConnection } from '../platform/live/watch-connection.ts';
import { keepInstallOffer } from '../platform/pwa/install-offer.ts';
import { currentDb, holdDb, releaseDb } from '../platform/session/current-db.ts';
import { guardCachedPage } from '../platform/session/restored-page.ts';
import { currentUserId, startSession } from '../platform/session/session.ts';
import { onUserGone } from '../platform/session/sign-out-in-other-tabs.ts';
import { finishSignOuts } from '../platform/session/wipes.ts';
import { loadInter } from '../ui/theme/load-inter.ts';
import { App } from './app.tsx';
import { awaitStorage, openUntilDenied } from './await-storage.tsx';
import { isFramed } from './is-framed.ts';
import { preloadRoute } from './match-route.ts';

/** Starts the app: device database, session, user database, routes. index.html draws the first paint without waiting for it. */
export async function boot() {
  const element = document.getElementById('root');
  if (!element) return;
  const root = createRoot(element);
  const page = preloadRoute(location.pathname);
  // With a worker, the code is on the device, and so is most probably data.
  if (navigator.serviceWorker?.controller) void import('../platform/db/user-db.ts').catch(() => undefined);
  watchConnection();
  keepInstallOffer();
  const takingOver = firstScreen() && import('../platform/first-screen/take-over.ts');
  if (takingOver) loadFont(); // the app takes over with it
  endTransactionsWithPage();
  guardCachedPage();
  let isStored = false;
  const opening = openUntilDenied(openDevice).then((found) => {
    isStored = found;
  });
  try {
    await awaitStorage(root, opening);
  } catch (error) {
    console.error('the device database cannot be used', error);
    dropFirstScreen();
    const { StorageUnavailable } = await import('./storage-errors.tsx');
    root.render(<StorageUnavailable />);
    return;
  }
  guardFirstScreen();
  onUserGone(closeUserDb); // so that this tab does not block its deletion in another tab
  // A signed-in user has finished onboarding, but browsers write localStorage late and may lose the flag in a crash.
  const userId = currentUserId();
  if (userId && !isOnboardingClosed()) closeOnboarding();
  if (userId && !isStored) holdDb();
  const stored = userId && isStored ? currentDb(userId) : undefined; // loads beside the page
  stored?.catch(() => undefined);
  const code = await page; // cached on the device from the second visit on
  if (chosenMoney())
    await import('../coins/money/other-money.ts').then(
      ({ startMoney }) => startMoney(),
      () => undefined,
    );
  const render = () =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  if (userId) {
    const ahead = code?.ahead?.(location, userId) ?? [];
    if (stored) {
      awaitStorage(root, firstRead(stored)).then((wasShown) => wasShown && render(), render);
      await readAhead(userId, ahead);
    } else await askAhead(userId, ahead);
  }
  render();
  takingOver?.then(({ takeOver }) => takeOver(element, loadInter)).catch(dropFirstScreen);
  await afterContent();
  dropEarlyAnswer();
  releaseDb();
  dropResults();
  loadFont();
  if (isFramed) return;
  void import('./go-live.ts').then(({ goLive }) => goLive());
}

/** Loads the font; without a connection, the app keeps the device's own. */
const loadFont = () => void loadInter().catch(() => undefined);

/** Reads the session. Returns whether the device has data of its user. */
async function openDevice(): Promise<boolean> {
  await Promise.all([finishSignOuts(), startSession()]);
  const userId = currentUserId();
  return userId !== undefined && hasUserDb(userId);
}

const firstRead = async (db: Promise<UserDb>) => (await db).stamps.count();
