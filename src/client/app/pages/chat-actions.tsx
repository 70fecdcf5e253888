import { AlertOffer } from '#client/features/alerts/alert-offer.tsx';
import { WatchOffer } from '#client/features/watchlist/offer/watch-offer.tsx';
import type { Action } from '#contract/chat/offers.ts';

/** What an answer offers to do, by the features that do it. An alert has the id of its message. */
export const ChatAction = ({ messageId, action }: { messageId: string; action: Action }) =>
  action.kind === 'alert' ? (
    <AlertOffer id={messageId} alert={action.alert} />
  ) : (
    <WatchOffer coins={action.coins} watched={action.watched} />
  );
