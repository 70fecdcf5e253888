import { readCatalogue } from '#server/ports/market-data/exchanges/catalogue.ts';
import { VENUE_IDS, type VenueId } from '#server/ports/market-data/exchanges/venue.ts';
import { type FakeExchange, type FakeMarket, startFakeExchange } from './fake-exchange.ts';

/** Dollar rates of the quote currencies: Tether is off its peg. */
export const RATES = { USD: 1, USDT: 0.995, USDC: 1.0002, EUR: 1.1 } as const;
type Quote = keyof typeof RATES;

/** Quote currencies of each exchange, and by how much its prices differ from the market's. */
const HABITS: Record<VenueId, { quotes: readonly Quote[]; off: number }> = {
  binance: { quotes: ['USDT', 'USDC'], off: 1.0001 },
  coinbase: { quotes: ['USD', 'EUR'], off: 0.9999 },
  kraken: { quotes: ['USD', 'USDT', 'EUR'], off: 1.0002 },
  okx: { quotes: ['USDT', 'USDC'], off: 0.9998 },
};

export interface ListedCoin {
  id: number;
  symbol: string;
  supply: number;
  /** USD. */
  price: number;
  /** 24 hours ago. */
  open: number;
}

const STABLE = ['USDT', 'USDC'];

/** Returns the largest coins of the catalogue whose symbol is theirs alone, with made-up prices. */
const listedCoins = (count: number): ListedCoin[] =>
  readCatalogue()
    .coins.filter(({ symbol }) => !STABLE.includes(symbol))
    .slice(0, count)
    .map(({ id, symbol, circulatingSupply: supply }, index) => {
      const price = 90_000 / (index + 1) ** 1.7;
      return { id, symbol, supply, price, open: price / (1 + ((index % 21) - 10) / 100) };
    });

/** Returns the markets of an exchange. Volumes differ by exchange and quote currency. */
function marketsOf(venue: VenueId, coins: readonly ListedCoin[]): FakeMarket[] {
  const { quotes, off } = HABITS[venue];
  const money = (base: Quote, quote: Quote): FakeMarket => {
    const price = RATES[base] / RATES[quote];
    return { base, quote, price, open: price, volume: 5_000_000 };
  };
  const pairs = { binance: [money('USDC', 'USDT'), money('EUR', 'USDT')], okx: [money('USDC', 'USDT')] };
  const dollars = [money('USDT', 'USD'), money('USDC', 'USD'), money('EUR', 'USD')];
  return [
    ...(venue === 'binance' || venue === 'okx' ? pairs[venue] : dollars),
    ...coins.flatMap(({ symbol, price, open }, index) =>
      quotes.map((quote, at) => ({
        base: symbol,
        quote,
        price: (price * off) / RATES[quote],
        open: (open * off) / RATES[quote],
        // Weights that are a tie nowhere.
        volume: (1_000_000 / price) * (1 + ((index * 7 + at * 3 + VENUE_IDS.indexOf(venue) * 5) % 11) + (at === 0 ? 3 : 0)),
      })),
    ),
  ];
}

export type ExchangeWorld = Record<VenueId, FakeExchange> & { coins: ListedCoin[]; urls: Record<VenueId, string>; close(): Promise<void> };

/** Starts all four exchanges, with the largest coins of the catalogue. */
export async function startExchangeWorld(count: number, now: () => number = Date.now): Promise<ExchangeWorld> {
  const coins = listedCoins(count);
  const fakes = await Promise.all(VENUE_IDS.map((id) => startFakeExchange(id, marketsOf(id, coins), now)));
  const byId = Object.fromEntries(fakes.map((fake) => [fake.id, fake])) as Record<VenueId, FakeExchange>;
  return {
    ...byId,
    coins,
    urls: Object.fromEntries(fakes.map(({ id, url }) => [id, url])) as Record<VenueId, string>,
    close: async () => void (await Promise.all(fakes.map((fake) => fake.close()))),
  };
}
