import type { CurrentFigure, FigureMetric, FigureSubject } from '#contract/chat/answer-figures.ts';
import type { Coin } from '../market/coin.ts';
import { correlation, extremes, lastDays, maxDrawdown, volatility } from '../market/price-history.ts';
import { METRIC_NAMES, metricOf, totalCap } from './answers/format.ts';
import { breadthOf } from './answers/lists.ts';
import type { Figures, Listing } from './figures.ts';
import type { Metric } from './query.ts';

const PERCENT = 100;

/** Returns today's value of a figure that an answer told; null where a coin or its figure is gone. */
export async function findCurrentFigure(subject: FigureSubject, figures: Figures): Promise<CurrentFigure> {
  const listing = await figures.listing();
  const { source } = listing;
  const value = await lookUp(subject, listing, figures);
  const divisor = subject.over === undefined ? 1 : await priceOf(subject.over, listing, figures);
  if (value === null || !divisor) return { value: null, source };
  const current = ((subject.times ?? 1) * value) / divisor + (subject.plus ?? 0);
  return { value: Number.isFinite(current) ? current : null, source };
}

async function lookUp(subject: FigureSubject, listing: Listing, figures: Figures): Promise<number | null> {
  const { coin: id, days } = subject;
  if (id === undefined) return sumOf(subject, listing.coins);
  if (subject.metric === 'funding_rate' || subject.metric === 'open_interest') return fromPerpetual(subject.metric, id, figures);
  if (days !== undefined) return fromDays({ ...subject, days, coin: id }, listing, figures);
  const coin = await coinOf(id, listing, figures);
  return coin ? (ofCoin(coin, subject, listing.coins) ?? null) : null;
}

async function fromPerpetual(metric: 'funding_rate' | 'open_interest', id: number, figures: Figures): Promise<number | null> {
  const perpetual = await figures.perpetual(id);
  if (typeof perpetual === 'string') return null;
  return metric === 'funding_rate' ? perpetual.fundingRate : (perpetual.openInterest?.usd ?? null);
}

const coinOf = async (id: number, { coins }: Listing, figures: Figures): Promise<Coin | undefined> =>
  coins.find((coin) => coin.id === id) ?? figures.coin(id);

const priceOf = async (id: number, listing: Listing, figures: Figures): Promise<number | null> =>
  (await coinOf(id, listing, figures))?.quote.USD.price ?? null;

const isMetric = (metric: FigureMetric): metric is Metric => Object.hasOwn(METRIC_NAMES, metric);

function ofCoin(coin: Coin, { metric, period }: FigureSubject, listed: readonly Coin[]): number | null | undefined {
  const { volume_24h: volume, volume_change_24h, market_cap: cap } = coin.quote.USD;
  if (isMetric(metric)) return metricOf(coin, metric, { period, total: totalCap(listed) });
  if (metric === 'volume_change') return volume_change_24h;
  if (metric === 'max_supply') return coin.maxSupply;
  return metric === 'volume_to_cap' && volume !== null && cap ? (volume / cap) * PERCENT : null;
}

/** Returns a sum over the listed coins; for a price, one dollar. */
function sumOf({ metric, period = '24h' }: FigureSubject, listed: readonly Coin[]): number | null {
  const breadth = breadthOf(listed, period);
  const readings: Partial<Record<FigureMetric, () => number | null>> = {
    price: () => 1,
    market_cap: () => totalCap(listed),
    volume: () => listed.reduce((sum, { quote }) => sum + (quote.USD.volume_24h ?? 0), 0),
    change: () => breadth.change,
    rising: () => breadth.rising,
    falling: () => breadth.falling,
  };
  return readings[metric]?.() ?? null;
}

async function fromDays(
  { metric, coin, other, days }: FigureSubject & { coin: number; days: number },
  { source }: Listing,
  figures: Figures,
): Promise<number | null> {
  const now = Date.parse(source.asOf);
  const read = async (id: number) => lastDays((await figures.days(id))?.candles ?? [], days, now);
  const candles = await read(coin);
  switch (metric) {
    case 'high':
      return extremes(candles)?.high.price ?? null;
    case 'low':
      return extremes(candles)?.low.price ?? null;
    case 'volatility':
      return percent(volatility(candles));
    case 'drawdown':
      return percent(maxDrawdown(candles)?.share);
    case 'correlation':
      return other === undefined ? null : (correlation(candles, await read(other))?.value ?? null);
    default:
      return null;
  }
}

const percent = (share: number | undefined): number | null => (share === undefined ? null : share * PERCENT);
