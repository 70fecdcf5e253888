import { formatUsd } from '#domain/format/format-number.ts';
import { candleAt } from '#domain/market/price-history.ts';
import type { Query } from '../query.ts';
import { dayOfWhen } from '../reading/asked-time.ts';
import { coinName, figureOf, plain } from './format.ts';
import { basisOf, movedFrom, priceThen, WHICH_COIN, type WithDays } from './history.ts';
import { dateOf } from './stamp.ts';
import { told } from './told.ts';

const amountText = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8, maximumFractionDigits: 8 });

/** Answers with the profit or loss of a purchase at a price, or on a day that has a candle. `now`: ms UTC. */
export function answerProfit({ purchase, amount, when }: Query, [asked]: readonly WithDays[], now: number): string {
  if (!asked) return WHICH_COIN;
  const { coin, days } = asked;
  const { price } = coin.quote.USD;
  if (price === null) return `I have no price of ${coinName(coin)}.`;
  const bought = amount?.unit === 'coin' ? amount.value : undefined;
  const day = when && dayOfWhen(when, now);
  const candle = day === undefined || !days ? undefined : candleAt(days.candles, day);
  const paid = bought && purchase.spent ? purchase.spent / bought : undefined;
  const entry = purchase.at ?? paid ?? candle?.close;
  if (!entry || !Number.isFinite(entry))
    return [
      day === undefined ? 'At which price, or on which day?' : `I have no price of ${coinName(coin)} on ${dateOf(day)}. At which price?`,
      `For example "I bought 2 ${plain(coin.symbol)} at ${formatUsd(price)}" or "I put $500 in ${plain(coin.symbol)} 3 months ago".`,
    ].join('\n\n');
  const quantity = bought ?? (purchase.spent === undefined ? undefined : purchase.spent / entry);
  const isFromCandle = entry === candle?.close && purchase.at === undefined;
  const held = { tool: 'calculation', unit: 'USD' } as const;
  const since =
    isFromCandle && days
      ? `${priceThen({ coin, days, name: 'Close', price: entry, time: candle.time })}, the close of ${dateOf(candle.time)}`
      : told(formatUsd(entry), { ...held, label: 'Price of the purchase', value: entry, now: { metric: 'price', coin: coin.id } });
  const change = movedFrom(coin, entry, 'the purchase');
  const result = quantity === undefined ? undefined : quantity * (price - entry);
  const worth = (quantity: number) => {
    const now = { metric: 'price', coin: coin.id, times: quantity } as const;
    return told(formatUsd(quantity * price), {
      ...held,
      label: `Worth of the purchase of ${coinName(coin)}`,
      value: quantity * price,
      now,
    });
  };
  const won = (quantity: number, value: number) => {
    const now = { metric: 'price', coin: coin.id, times: quantity, plus: -quantity * entry } as const;
    return told(formatUsd(Math.abs(value)), { ...held, label: `Profit or loss of the purchase of ${coinName(coin)}`, value, now });
  };
  return [
    result === undefined || quantity === undefined
      ? `${coinName(coin)} is at **${figureOf(coin, 'price', {})}**, **${change}** from ${since}.`
      : `${amountText.format(quantity)} ${plain(coin.symbol)} bought at ${since} is worth **${worth(quantity)}** at ${figureOf(coin, 'price', {})}: a ${result < 0 ? 'loss' : 'profit'} of **${won(quantity, result)}** (${change}), before fees and taxes.`,
    ...(isFromCandle && days ? [basisOf(days)] : []),
  ].join('\n\n');
}
