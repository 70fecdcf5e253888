import { useState } from 'react';
import { transact } from '#client/platform/db/transact.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { ConfirmCard } from '#client/ui/feedback/confirm-card.tsx';
import { HEARTS } from '../heart-commands.ts';
import { addHearts, type HeartCoin, restoreHeart, setHeart } from '../hearts.ts';
import { useHearts } from '../use-watched.ts';

interface WatchOfferProps {
  coins: readonly HeartCoin[];
  /** The offer adds them; otherwise it removes them. */
  watched: boolean;
}

/** A coin that the offer has changed, and the coins that followed it on the watchlist. */
interface Changed {
  coin: HeartCoin;
  followers: readonly number[];
}

const LINK = { href: '/crypto/watchlist', text: 'See watchlist' };

/** Offers to add coins to the watchlist or to remove them, and undoes what it has changed. */
export function WatchOffer({ coins, watched }: WatchOfferProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const hearts = useHearts();
  const reachable = useReachable();
  const [changed, setChanged] = useState<readonly Changed[]>([]);
  if (!hearts) return null;
  const { ids, commands } = hearts;
  const open = coins.filter(({ id }) => ids.includes(id) !== watched);
  const isDone = open.length === 0;
  const isWaiting = !reachable && commands.some(({ body }) => coins.some(({ id }) => id === body.cryptoId));

  async function confirm() {
    setChanged(open.map((coin) => ({ coin, followers: ids.slice(ids.indexOf(coin.id) + 1) })));
    if (watched) await addHearts(db, userId, open);
    else
      await transact(db, [db.outbox], async (db) => {
        for (const coin of open) await setHeart(db, userId, coin, false);
      });
    sendSoon(HEARTS);
  }

  async function undo() {
    setChanged([]);
    // The last one first, so that each finds its followers.
    await transact(db, [db.outbox], async (db) => {
      for (const { coin, followers } of [...changed].reverse()) {
        if (watched) await setHeart(db, userId, coin, false);
        else await restoreHeart(db, userId, coin, followers);
      }
    });
    sendSoon(HEARTS);
  }

  function state(): string | undefined {
    if (!isDone) return undefined;
    if (isWaiting) return 'Saved. It is sent once you are online.';
    if (changed.length > 0) return watched ? 'Added.' : 'Removed.';
    return watched ? 'On your watchlist.' : 'Not on your watchlist.';
  }

  return (
    <ConfirmCard
      label="Watchlist"
      state={state()}
      isDone={isDone}
      button={isDone ? (changed.length > 0 ? 'Undo' : undefined) : watched ? 'Add to watchlist' : 'Remove from watchlist'}
      onPress={() => void (isDone ? undo() : confirm())}
      link={LINK}
    >
      <bdi>{coins.map(({ name }) => name).join(', ')}</bdi>
    </ConfirmCard>
  );
}
