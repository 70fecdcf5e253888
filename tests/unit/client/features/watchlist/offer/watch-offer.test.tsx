import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WatchOffer } from '#client/features/watchlist/offer/watch-offer.tsx';
import { readWatched } from '#client/features/watchlist/watched.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const coins = [
  { id: 5426, name: 'Solana', symbol: 'SOL' },
  { id: 2010, name: 'Cardano', symbol: 'ADA' },
];
let users = 0;
let userId: string;

/** Stores a watchlist of coins in this order. */
async function watch(...ids: number[]) {
  const db = userDb(userId);
  await db.watchlist.bulkPut(ids.map((id, place) => ({ id, place })));
  await db.stamps.put({ key: 'watchlist', savedAt: 1 });
}
const watched = async () => (await readWatched(userDb(userId))).ids;
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

beforeEach(async () => {
  users += 1;
  userId = `watch-offer-${users}`;
  fakeApi({});
  reportUnreachable();
  await signIn(makeTokens({ sub: userId }), true);
});
afterEach(async () => {
  cleanup();
  reportReachable();
  await endSession();
});

it('adds nothing by itself, then the missing coins on top in their order, and undoes only those', async () => {
  await watch(1, 2010);
  render(<WatchOffer coins={coins} watched />);
  await screen.findByRole('button', { name: 'Add to watchlist' });
  expect(await watched()).toEqual([1, 2010]);
  await press('Add to watchlist');
  await screen.findByText('Saved. It is sent once you are online.');
  expect(await watched()).toEqual([5426, 1, 2010]);
  await press('Undo');
  await screen.findByRole('button', { name: 'Add to watchlist' });
  expect(await watched()).toEqual([1, 2010]);
});

it('removes coins, and puts them back in their places', async () => {
  await watch(5426, 1, 2010, 52);
  render(<WatchOffer coins={coins} watched={false} />);
  await press('Remove from watchlist');
  await screen.findByRole('button', { name: 'Undo' });
  expect(await watched()).toEqual([1, 52]);
  await press('Undo');
  await screen.findByRole('button', { name: 'Remove from watchlist' });
  expect(await watched()).toEqual([5426, 1, 2010, 52]);
});

it('says that the coins are on the watchlist already', async () => {
  await watch(5426, 2010);
  render(<WatchOffer coins={coins} watched />);
  await screen.findByText('On your watchlist.');
  expect(screen.queryByRole('button')).toBeNull();
});
