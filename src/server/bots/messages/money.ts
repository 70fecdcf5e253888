import { MONEY_NAMES, type Money, moneyOf } from '#domain/bots/bot-money.ts';
import { shownName } from '#domain/shown-name.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import type { BotRow } from '../store/bots.ts';

type MoneyRow = Pick<BotRow, 'exchange' | 'testnet'>;

export const moneyOfBot = ({ exchange, testnet }: MoneyRow): Money => moneyOf({ exchange, paper: exchange === 'paper' || testnet });

const PLACES: Record<Money, string> = { paper: 'the paper exchange', testnet: "Bybit's test network", live: 'Bybit, with real money' };

/**
 * Why this process must not touch a bot: it was made for another exchange than the one traded on now, where its keys and
 * orders mean nothing. Null for one that is at home here.
 */
export function elsewhere(row: MoneyRow, { kind, paper }: Pick<Exchange, 'kind' | 'paper'>): string | null {
  const here = moneyOf({ exchange: kind, paper });
  const home = moneyOfBot(row);
  return home === here ? null : `This bot was made for ${PLACES[home]}, and here bots trade on ${PLACES[here]}.`;
}

/** What a notification about a bot reads: first what money it is about, which no name of a bot can pretend. */
export const noticeOf = (row: MoneyRow & Pick<BotRow, 'name'>, text: string): string =>
  `${MONEY_NAMES[moneyOfBot(row)]} · ${shownName(row.name) || 'Your bot'}: ${text}`;
