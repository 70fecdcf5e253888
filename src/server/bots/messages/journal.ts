import { spellAmount } from '#domain/bots/bot-amounts.ts';

/** Texts of a bot's journal and notifications. */

const btc = (quantity: number): string => `${Number(quantity.toFixed(8))} BTC`;

/** @param reason a sentence of the exchange's adapter, or a code; null if unknown. */
export const refusedText = (reason: string | null): string =>
  `The exchange refused an order${reason === null ? '' : `: ${reason.replace(/\.$/, '')}`}.`;

/** @param reason why, without a full stop. */
export const skippedText = (reason: string): string =>
  `Skipped an entry: ${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}.`;

/** Keys of the journal's entries about one candle (its opening time). */
export const skippedKey = (candle: number): string => `passed:${candle}`;
export const refusedKey = (candle: number): string => `refused:${candle}`;

/** Returns the entry that says why a bot or the exchange passed over a candle's signal; undefined without one. */
export const findPassed = <Entry extends { key: string | null }>(events: readonly Entry[], candle: number): Entry | undefined =>
  events.find(({ key }) => key === skippedKey(candle) || key === refusedKey(candle));

const CLOSE_REASONS: Record<string, string> = {
  target: 'at its target',
  stop: 'at its stop',
  liquidation: 'by liquidation',
  adl: 'by auto-deleveraging',
  time: 'because it reached its time limit',
  trend: 'because the trend turned',
  stopped: 'because the bot was stopped',
  'on request': 'because you asked for it',
  unprotected: 'because no stop could be set',
  unsafe: 'because the exchange would have liquidated it before its stop',
  feed: 'because the prices of paper money changed between live and replay,',
  unexplained: 'without a report by the exchange, probably',
  'by hand': 'at the exchange, not by this bot',
};

const percent = (share: number): string => `${Number((share * 100).toFixed(4))}%`;

/** @param fee of a market order, as a share of its value. */
export const feeText = (fee: number): string =>
  `The exchange charges this account ${percent(fee)} for a market order. The bot sizes its entries with it.`;
export const feeUnknownText = (fee: number): string =>
  `The exchange did not tell a plausible fee. The bot sizes its entries with ${percent(fee)}.`;

interface Opened {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
}

/** @param resting the stop and target at the exchange; null if the position is already closed. */
export const openedText = (
  { side, quantity, entryPrice }: Opened,
  resting: { stop: number | null; target: number | null } | null,
): string => {
  const stop = resting?.stop ? `, stop at ${spellAmount(resting.stop)}` : '';
  const target = resting?.target ? `, target at ${spellAmount(resting.target)}` : '';
  return `Opened a ${side} position: ${btc(quantity)} at ${spellAmount(entryPrice)}${stop}${target}.`;
};

/** @param needed what the bot counts on, USD. */
export const shortMoneyText = (held: number, needed: number): string =>
  `the account holds ${spellAmount(held)}, and the bot counts on ${spellAmount(needed)}. Add money to the account, or set a smaller position size`;

/** Prices in USD. */
export const unsafeText = (liquidationPrice: number, stop: number): string =>
  `The exchange would liquidate the position at ${spellAmount(liquidationPrice)}, too close to its stop at ${spellAmount(stop)}. The bot closes it at market price.`;

/** @param loss a fraction; `limit` is in percent. */
export const lossLimitText = (loss: number, limit: number): string =>
  `The bot has lost ${Math.floor(loss * 100)}% of its highest value. Your limit is ${limit}%, so it closes its position and stops. Start it again when you are ready.`;

export const forgottenText = (isFilled: boolean): string =>
  `The exchange no longer lists an order that it had accepted. ${isFilled ? 'Its executions show that it was filled' : 'No part of it was filled'}.`;

/** @param minutes how long the bot keeps trying. */
export const keyRefusedText = (reason: string, minutes: number): string =>
  `${reason} The bot keeps trying for ${minutes} minutes. An open position keeps its stop.`;

/** @param reason why the bot is in ERROR, in sentences; null if unknown. */
export const reminderText = (
  { side, quantity, stop }: Pick<Opened, 'side' | 'quantity'> & { stop: number | null },
  reason: string | null,
): string => {
  const protection = stop === null ? 'without a known stop' : `with its stop at ${spellAmount(stop)}`;
  return `Reminder: this bot needs you and still holds a ${side} position of ${btc(quantity)}, ${protection}.${reason === null ? '' : ` ${reason}`}`;
};

interface Closed {
  side: 'long' | 'short';
  exitPrice: number | null;
  /** Net of fees and funding. */
  pnl: number;
  reason: string | null;
}

export const closedText = ({ side, exitPrice, pnl, reason }: Closed): string => {
  const result = pnl < 0 ? `a loss of ${spellAmount(-pnl)}` : `a profit of ${spellAmount(pnl)}`;
  return `Closed the ${side} position ${CLOSE_REASONS[reason ?? ''] ?? reason} at ${spellAmount(exitPrice ?? 0)}: ${result}, fees and funding included.`;
};

/** The correction of a trade that had closed without an explanation. */
export const explainedText = (trade: Closed): string => `The exchange has reported how the position closed. ${closedText(trade)}`;

/** The fills of a position are late. */
export const UNREPORTED_TEXT =
  'The exchange has not reported how the position opened. Until it does, the bot keeps the stop and sends no other order. You can close the position at the exchange.';

/** A position that the user kept has lost its stop. */
export const BARE_TEXT =
  'The position no longer has a stop at the exchange. The stopped bot does not set one. Set one there, close the position, or start the bot.';

/** @param minutes how long the bot has tried. */
export const notClosedText = (minutes: number): string =>
  `The exchange did not confirm within ${minutes} minutes that the position is closed, so the bot no longer tries. The position keeps its stop. Close it again, or at the exchange.`;

/** @param days whole days until the key expires, rounded up. */
export const keyExpiryText = (days: number): string =>
  `The API key expires in less than ${days === 1 ? 'a day' : `${days} days`}. Renew it at the exchange, or replace it in the bot's settings. Without a key the bot cannot manage its position.`;
