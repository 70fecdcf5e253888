import { BITCOIN, type Coin } from '#domain/market/coin.ts';
import type { NoPerpetual, Perpetual } from '../figures.ts';
import { coinLine } from './coin.ts';
import { bigUsd, coinName, list, plain } from './format.ts';
import { WHICH_COIN } from './history.ts';
import { dateOf } from './stamp.ts';
import { told } from './told.ts';

/** A coin, and what is known of its perpetual future. */
export interface WithPerpetual {
  coin: Coin;
  perpetual: Perpetual | NoPerpetual;
}

const WHAT = 'funding rate or open interest';

/** Answers with funding rate and open interest of each coin, or says why there are none. */
export function answerPerpetual(asked: readonly WithPerpetual[]): string {
  if (asked.length === 0) return WHICH_COIN;
  const known = asked.flatMap(({ coin, perpetual }) => (typeof perpetual === 'string' ? [] : [figuresOf(coin, perpetual)]));
  const reasons: readonly NoPerpetual[] = ['offline', 'away', 'none'];
  const missing = reasons.flatMap((reason) => {
    const coins = asked.filter(({ perpetual }) => perpetual === reason).map(({ coin }) => coin);
    return coins.length > 0 ? [missingText(reason, coins), ...coins.map(coinLine)] : [];
  });
  return [...known, ...missing].join('\n\n');
}

function figuresOf(coin: Coin, { source, asOf, fundingRate, nextFundingAt, openInterest }: Perpetual): string {
  const name = coinName(coin);
  const about = { source: plain(source), time: asOf };
  const rate = fundingRate * 100;
  const now = { metric: 'funding_rate', coin: coin.id, times: 100 } as const;
  const shown = told(`${rate < 0 ? '-' : ''}${Math.abs(rate).toFixed(4)}%`, {
    ...about,
    label: `Funding rate of ${name}`,
    value: rate,
    unit: 'percent',
    now,
  });
  const pays = rate === 0 ? 'no one pays' : rate > 0 ? 'longs pay shorts' : 'shorts pay longs';
  const due = new Date(nextFundingAt);
  return [
    `**${name}**, ${plain(source)}`,
    [
      `- Funding rate: **${shown}** of a position's value, ${pays}. It is due on ${dateOf(nextFundingAt)} at ${due.toISOString().slice(11, 16)} UTC.`,
      ...(openInterest ? [openInterestLine(coin, openInterest, about)] : ['- Open interest: this exchange does not tell it.']),
    ].join('\n'),
  ].join('\n\n');
}

function openInterestLine(coin: Coin, { coins, usd }: { coins: number; usd: number }, about: { source: string; time: number }): string {
  const amount = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(coins);
  const label = `Open interest of ${coinName(coin)}`;
  const now = { metric: 'open_interest', coin: coin.id } as const;
  const inCoins = told(`${amount} ${plain(coin.symbol)}`, { ...about, label: `${label}, in coins`, value: coins, unit: 'coins' });
  return `- Open interest: **${told(bigUsd(usd), { ...about, label, value: usd, unit: 'USD', now })}**, ${inCoins}.`;
}

function missingText(reason: NoPerpetual, coins: readonly Coin[]): string {
  const names = list(coins.map(coinName));
  if (reason === 'offline') return `I have no ${WHAT} of ${names} on this device: they come from an exchange and need a connection.`;
  if (reason === 'away') return `I can't read the ${WHAT} of ${names} at the moment: the exchange does not answer.`;
  const onlyBitcoin = coins.some(({ id }) => id !== BITCOIN);
  return onlyBitcoin
    ? `I have no ${WHAT} of ${names}: I read them for BTC only, at the exchange on which bots trade.`
    : `I have no ${WHAT} of ${names}: the exchange on which bots trade here gives none.`;
}
