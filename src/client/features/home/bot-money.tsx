import { lazy, Suspense } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { MONEY_NAMES, type Money, moneyOf } from '#domain/bots/bot-money.ts';

/** The one that most is at stake with comes first. */
const BY_STAKE: readonly Money[] = ['live', 'testnet', 'paper'];

const MoneyChips = lazy(async () => ({ default: (await import('#client/ui/labels/money-chips.tsx')).MoneyChips }));

/** What money a user's bots trade, as this device last knew: the realest of them, and undefined where there is no bot. */
export const useBotMoney = (userId: string | undefined): Money | undefined =>
  useLive(userId === undefined ? null : `${userId}/bots/money`, async () => {
    if (userId === undefined) return undefined;
    const held = new Set((await userDb(userId).bots.toArray()).map(({ config }) => moneyOf(config)));
    return BY_STAKE.find((each) => held.has(each));
  });

export const BotMoney = ({ money }: { money: Money }) => (
  <Suspense>
    {' '}
    <MoneyChips money={money} names={MONEY_NAMES} />
  </Suspense>
);
