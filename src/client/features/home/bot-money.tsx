import { lazy, Suspense } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { MONEY_NAMES, type Money, moneyOf } from '#domain/bots/bot-money.ts';

/** Real money first. */
const BY_STAKE: readonly Money[] = ['live', 'testnet', 'paper'];

const MoneyChips = lazy(async () => ({ default: (await import('#client/ui/labels/money-chips.tsx')).MoneyChips }));

/** Returns the kind of money that the user's stored bots trade: the first of `BY_STAKE`, undefined without a bot. */
export const useBotMoney = (userId: string | undefined): Money | undefined =>
  useLive(userId === undefined ? null : `${userId}/bots/money`, async () => {
    if (userId === undefined) return undefined;
    const held = new Set((await userDb(userId).bots.toArray()).map(({ config }) => moneyOf(config)));
    return BY_STAKE.find((each) => held.has(each));
  });

/** Marks the card with the kind of money that the bots trade. */
export const BotMoney = ({ money }: { money: Money }) => (
  <Suspense>
    {' '}
    <MoneyChips money={money} names={MONEY_NAMES} />
  </Suspense>
);
