import { EXCHANGES, type ExchangeName } from '#contract/bots/exchange-names.ts';
import { MONEY_NAMES, type Money, moneyOf } from '#domain/bots/bot-money.ts';
import { shownName } from '#domain/shown-name.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';

/** Where a bot trades, from its row. */
interface Market {
  exchange: ExchangeName;
  testnet: boolean;
}

/** Whether no real money is at stake. */
export const isPlayMoney = ({ exchange, testnet }: Market): boolean => EXCHANGES[exchange].isSimulated || testnet;

export const moneyOfBot = (market: Market): Money => moneyOf({ exchange: market.exchange, paper: isPlayMoney(market) });

/** How users read the place where a bot trades. */
function placeOf(exchange: ExchangeName, money: Money): string {
  const { title } = EXCHANGES[exchange];
  if (money === 'paper') return title;
  return money === 'testnet' ? `${title}'s test network` : `${title}, with real money`;
}

/**
 * Returns why this process must not touch a bot: its keys and orders belong to another exchange than the one in use.
 * Null for a bot of this exchange.
 */
export function otherExchangeReason(market: Market, { kind, paper }: Pick<Exchange, 'kind' | 'paper'>): string | null {
  const current = moneyOf({ exchange: kind, paper });
  const own = moneyOfBot(market);
  if (own === current) return null;
  return `This bot was made for ${placeOf(market.exchange, own)}. Bots here trade on ${placeOf(kind, current)}.`;
}

/** Returns a notification's text. It starts with the kind of money, which a bot's name cannot imitate. */
export const noticeOf = (bot: Market & { name: string }, text: string): string =>
  `${MONEY_NAMES[moneyOfBot(bot)]} · ${shownName(bot.name) || 'Your bot'}: ${text}`;
