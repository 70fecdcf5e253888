import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { optionalComponent } from '#client/platform/late-component.tsx';
import { MONEY_NAMES, type Money, moneyOf } from '#domain/bots/bot-money.ts';

/** Real money first. */
const BY_STAKE: readonly Money[] = ['live', 'testnet', 'paper'];

const MoneyChips = optionalComponent(async () => ({ default: (await import('#client/ui/labels/money-chips.tsx')).MoneyChips }));

async function readBotMoney(db: UserDb): Promise<Money | undefined> {
  const held = new Set((await db.bots.toArray()).map(({ config }) => moneyOf(config)));
  return BY_STAKE.find((each) => held.has(each));
}

/** The query of `useBotMoney`, for the first render of a page. */
export const botMoneyAhead: Ahead = { key: 'bots/money', query: readBotMoney };

/** Returns the kind of money that the user's stored bots trade: the first of `BY_STAKE`, undefined without a bot. */
export const useBotMoney = (): Money | undefined => useUserLive(botMoneyAhead.key, readBotMoney);

/** Marks the card with the kind of money that the bots trade. */
export const BotMoney = ({ money }: { money: Money }) => (
  <>
    {' '}
    <MoneyChips money={money} names={MONEY_NAMES} />
  </>
);
