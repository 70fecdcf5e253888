import * as z from 'zod/mini';
import { PERIODS } from '#contract/market/choices.ts';
import { atMost, listOf, notEmpty } from '#contract/text.ts';
import { everything } from '#domain/analyst/answers/coin.ts';
import { plain } from '#domain/analyst/answers/format.ts';
import { priceThen } from '#domain/analyst/answers/history.ts';
import { answerLevels, levelsOf } from '#domain/analyst/answers/levels.ts';
import { type Told, toldIn } from '#domain/analyst/answers/told.ts';
import { dayOf } from '#domain/clock.ts';
import { type Bar, foldToDays } from '#domain/market/candles.ts';
import { BITCOIN, type Coin, type CoinName } from '#domain/market/coin.ts';
import { searchCoins } from '#domain/market/coin-search.ts';
import type { MarketCoin, MarketData } from '#server/ports/market-data/market-data.ts';

/**
 * The model's tools: public market figures only. No tool reads users, files, settings or the network, so a prompt injection
 * that triggers a call gains nothing.
 */
interface Tool<Arguments> {
  description: string;
  /** JSON Schema, for the model. */
  parameters: object;
  /** Zod schema of the same arguments; other arguments are refused. */
  arguments: z.ZodMiniType<Arguments>;
  run(market: MarketData, wanted: Arguments): Promise<Found>;
}

/** What a tool found. */
interface Found {
  /** For the model. */
  data: unknown;
  figures: ToolFigure[];
}

/** A figure that the model was told, with the names of its coin. */
export interface ToolFigure {
  told: Told;
  names: readonly string[];
}

const MAX_COINS = 10;
const MAX_ROWS = 20;
const MAX_DAYS = 90;

const UNKNOWN: Found = { data: { unknown: true }, figures: [] };

/** What a text tells about a coin; without one, all its figures. */
const toldOf = (coin: Coin, marked = everything(coin)): ToolFigure[] =>
  toldIn(marked).map((told) => ({ told, names: [plain(coin.name), plain(coin.symbol)] }));

const define = <Arguments>(tool: Tool<Arguments>): Tool<Arguments> => tool;

const quotes = define({
  description: `Price, changes, market cap, volume and supply of up to ${MAX_COINS} coins, by name or ticker.`,
  parameters: {
    type: 'object',
    properties: { coins: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_COINS } },
    required: ['coins'],
    additionalProperties: false,
  },
  arguments: z.strictObject({
    coins: z.array(z.string().check(atMost(60), notEmpty())).check(listOf(MAX_COINS, 1)),
  }),
  async run(market, { coins }) {
    const known = await market.searchMap();
    const found = await Promise.all(
      coins.map(async (wanted) => {
        const id = searchCoins(known, wanted)[0]?.id;
        return { wanted, coin: id === undefined ? undefined : (await market.details(id))?.coin };
      }),
    );
    return {
      data: found.map(({ wanted, coin }) => (coin ? figuresOf(coin) : { asked: plain(wanted), unknown: true })),
      figures: found.flatMap(({ coin }) => (coin ? toldOf(coin) : [])),
    };
  },
});

const rankings: Record<'market_cap' | 'gainers' | 'losers' | 'volume', (coin: MarketCoin) => number | null> = {
  market_cap: ({ quote }) => quote.USD.market_cap,
  gainers: ({ quote }) => quote.USD.percent_change_24h,
  losers: ({ quote }) => (quote.USD.percent_change_24h === null ? null : -quote.USD.percent_change_24h),
  volume: ({ quote }) => quote.USD.volume_24h,
};

const ranking = define({
  description: `The first coins by market cap, 24h volume, or 24h change (gainers, losers), at most ${MAX_ROWS}.`,
  parameters: {
    type: 'object',
    properties: {
      by: { type: 'string', enum: Object.keys(rankings) },
      count: { type: 'integer', minimum: 1, maximum: MAX_ROWS },
    },
    required: ['by'],
    additionalProperties: false,
  },
  arguments: z.strictObject({
    by: z.enum(['market_cap', 'gainers', 'losers', 'volume']),
    count: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 10),
  }),
  async run(market, { by, count }) {
    const score = rankings[by];
    const { coins } = await market.snapshot();
    const ranked = [...coins]
      .filter((coin) => score(coin) !== null)
      .sort((a, b) => (score(b) ?? 0) - (score(a) ?? 0))
      .slice(0, count);
    return { data: ranked.map(figuresOf), figures: ranked.flatMap((coin) => toldOf(coin)) };
  },
});

const levels = define({
  description: 'Support and resistance of Bitcoin from its candles, with touches and the time of the last one.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  arguments: z.strictObject({}),
  async run(market) {
    const { coins } = await market.snapshot();
    const series = await market.btcCandles();
    const bitcoin = coins.find(({ id }) => id === BITCOIN);
    const found = levelsOf(coins, series);
    if (!found || !bitcoin) return UNKNOWN;
    return { data: found, figures: toldOf(bitcoin, answerLevels([{ coin: bitcoin, days: undefined }], series)) };
  },
});

const candles = define({
  description: `Bitcoin by day: open, high, low and close in USD, at most the last ${MAX_DAYS} days there are.`,
  parameters: {
    type: 'object',
    properties: { days: { type: 'integer', minimum: 1, maximum: MAX_DAYS } },
    required: ['days'],
    additionalProperties: false,
  },
  arguments: z.strictObject({ days: z.int().check(z.minimum(1), z.maximum(MAX_DAYS)) }),
  async run(market, { days }) {
    const series = await market.btcCandles();
    if (!series) return UNKNOWN;
    const last = foldToDays(series.candles).slice(-days);
    const coin = (await market.snapshot()).coins.find(({ id }) => id === BITCOIN);
    const own = { source: series.source, demo: false, candles: last };
    const pricesOf = ({ time, open, high, low, close }: Bar) =>
      Object.entries({ Open: open, High: high, Low: low, Close: close }).map(
        ([name, price]) => coin && priceThen({ coin, days: own, name, price, time }),
      );
    return {
      data: { source: series.source, days: last.map(({ time, open, high, low, close }) => ({ day: dayOf(time), open, high, low, close })) },
      figures: coin ? toldOf(coin, last.flatMap(pricesOf).join(' ')) : [],
    };
  },
});

const TOOLS: Record<string, Tool<never>> = {
  get_quotes: quotes as Tool<never>,
  get_ranking: ranking as Tool<never>,
  get_bitcoin_levels: levels as Tool<never>,
  get_bitcoin_days: candles as Tool<never>,
};

/** Tool definitions in the endpoint's format. */
export const TOOL_DEFINITIONS = Object.entries(TOOLS).map(([name, { description, parameters }]) => ({
  type: 'function',
  function: { name, description, parameters },
}));

/** The answer to a tool call: JSON for the model, and the figures in it. */
export interface ToolResult {
  json: string;
  figures: readonly ToolFigure[];
}

/** Runs a tool call. An unknown tool and broken arguments give an error for the model. */
export async function runTool(market: MarketData, name: string, written: string): Promise<ToolResult> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!tool) return refused('There is no such tool.');
  const wanted = z.safeParse(tool.arguments, parseJson(written));
  if (!wanted.success) return refused('These arguments do not fit the tool.');
  try {
    const [{ data, figures }, { source }] = await Promise.all([tool.run(market, wanted.data), market.snapshot()]);
    return { json: JSON.stringify({ asOf: source.asOf, source: plain(source.name), data }), figures };
  } catch {
    return refused('The market data cannot be had at the moment.');
  }
}

export const refused = (error: string): ToolResult => ({ json: JSON.stringify({ error }), figures: [] });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return undefined;
  }
}

/** Removes markup from names, because they come from outside. */
const nameOf = ({ id, name, symbol, rank }: CoinName) => ({ id, name: plain(name), symbol: plain(symbol), rank });

const figuresOf = (coin: MarketCoin) => ({
  ...nameOf(coin),
  usd: {
    price: coin.quote.USD.price,
    market_cap: coin.quote.USD.market_cap,
    volume_24h: coin.quote.USD.volume_24h,
    ...Object.fromEntries(PERIODS.map((period) => [`percent_change_${period}`, coin.quote.USD[`percent_change_${period}`]])),
  },
  btc: { price: coin.quote.BTC.price },
  circulating_supply: coin.circulatingSupply,
  max_supply: coin.maxSupply,
});
