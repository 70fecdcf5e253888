import * as z from 'zod/mini';
import type { Currency, Quote } from '#contract/market/market.ts';
import type { CoinTag } from '#domain/market/coin.ts';
import type { CoinLinks } from '../market-data.ts';
import { type Rows, readRows } from '../read-rows.ts';

const MAX_NAME = 200;
const MAX_SYMBOL = 40;
const MAX_LINK = 2000;
/** Control characters and bidirectional overrides, which names must not contain. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans and shortens text, because anyone who lists a coin can choose its name. */
const words = (max: number) =>
  z.pipe(
    z.string(),
    z.transform((text) => [...text.replace(INVISIBLE, '').trim()].slice(0, max).join('')),
  );

const figure = z._default(z.nullable(z.number()), null);

const quoteRow = z.object({
  price: figure,
  market_cap: figure,
  volume_24h: figure,
  volume_change_24h: figure,
  fully_diluted_market_cap: figure,
  percent_change_1h: figure,
  percent_change_24h: figure,
  percent_change_7d: figure,
  percent_change_30d: figure,
  percent_change_60d: figure,
  percent_change_90d: figure,
});

const nameRow = z.object({ id: z.int().check(z.minimum(1)), name: words(MAX_NAME), symbol: words(MAX_SYMBOL) });

/** Lists give a tag as a slug, `/v2/cryptocurrency/quotes/latest` as an object. */
const tagRow = z.pipe(
  z.union([z.string(), z.object({ slug: z.string(), name: z.string() })]),
  z.transform((tag): CoinTag => (typeof tag === 'string' ? { slug: tag, name: titled(tag) } : { slug: tag.slug, name: tag.name })),
);

const coinRow = z.extend(nameRow, {
  cmc_rank: figure,
  date_added: z._default(z.nullable(z.string()), null),
  circulating_supply: figure,
  total_supply: figure,
  max_supply: figure,
  tags: z._default(z.nullable(z.array(tagRow)), null),
});

/** A coin in one answer, with figures in that answer's currency only. */
export type CoinRow = z.infer<typeof coinRow> & { figures: Quote };

const withQuote = (currency: Currency) =>
  z.pipe(
    z.extend(coinRow, { quote: z.object({ [currency]: quoteRow }) }),
    z.transform(({ quote, ...coin }): CoinRow => ({ ...coin, figures: quote[currency] as Quote })),
  );
const coinIn = { USD: withQuote('USD'), BTC: withQuote('BTC') };

const mapRow = z.extend(nameRow, { rank: figure, first_historical_data: z._default(z.nullable(z.string()), null) });
export type MapRow = z.infer<typeof mapRow>;

const addresses = z._default(z.nullable(z.array(z.string())), null);
const infoRow = z.object({
  id: z.int(),
  tags: z._default(z.nullable(z.array(z.string())), null),
  'tag-names': z._default(z.nullable(z.array(words(MAX_NAME))), null),
  urls: z.object({
    website: addresses,
    technical_doc: addresses,
    reddit: addresses,
    source_code: addresses,
    explorer: addresses,
  }),
});

/** Data from a coin's page at the provider. */
export interface CoinInfo {
  links: CoinLinks;
  tags: readonly CoinTag[];
}

export const readCoins = (data: unknown, currency: Currency): Rows<CoinRow> => readRows(data, coinIn[currency]);
export const readNames = (data: unknown): Rows<MapRow> => readRows(data, mapRow);

/** Returns the infos by coin id. */
export const readInfos = (data: unknown): Map<number, CoinInfo> =>
  new Map(readRows(data, infoRow).rows.map((row) => [row.id, infoOf(row)]));

const infoOf = ({ urls, tags, 'tag-names': names }: z.infer<typeof infoRow>): CoinInfo => ({
  links: {
    website: linkOf(urls.website),
    technicalDoc: linkOf(urls.technical_doc),
    reddit: linkOf(urls.reddit),
    sourceCode: linkOf(urls.source_code),
    explorer: linkOf(urls.explorer),
  },
  tags: (tags ?? []).map((slug, index) => ({ slug, name: names?.[index] || titled(slug) })),
});

/** Returns the first http or https address; other schemes are not safe as links. */
function linkOf(urls: readonly string[] | null): string | null {
  return urls?.find((url) => url.length <= MAX_LINK && /^https?:\/\//i.test(url) && URL.canParse(url)) ?? null;
}

/** Formats `layer-1` as `Layer 1` when the provider gives no name. */
function titled(slug: string): string {
  return slug.replaceAll('-', ' ').replace(/(^| )\p{Ll}/gu, (start) => start.toUpperCase());
}
