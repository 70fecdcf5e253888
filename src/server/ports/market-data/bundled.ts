import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candles.ts';
import { readBundledFile } from '../bundled-candles.ts';

/** Beside this file in the sources, and beside the bundled server, where the build copies it. */
const folder = new URL('./snapshot/', import.meta.url);

/** Returns the address of a file of the snapshot. */
export const snapshotFile = (name: string): URL => new URL(name, folder);

const supply = z.nullable(z.number());
const linkOrNone = z._default(z.nullable(z.string()), null);

const bundledCoin = z.object({
  id: z.int(),
  name: z.string(),
  symbol: z.string(),
  dateAdded: z.string(),
  circulatingSupply: z.number(),
  totalSupply: supply,
  maxSupply: supply,
  price: z.number(),
  fullyDilutedMarketCap: z.number(),
  volume24h: z.number(),
  volumeChange24h: z.number(),
  change: z.object({ '1h': z.number(), '24h': z.number(), '7d': z.number(), '30d': z.number(), '60d': z.number(), '90d': z.number() }),
  tags: z.array(z.string()),
  links: z.optional(
    z.object({
      website: linkOrNone,
      technicalDoc: linkOrNone,
      reddit: linkOrNone,
      sourceCode: linkOrNone,
      explorer: linkOrNone,
    }),
  ),
});
export type BundledCoin = z.infer<typeof bundledCoin>;

const bundledMarket = z.object({
  name: z.string(),
  takenAt: z.string(),
  tagNames: z.record(z.string(), z.string()),
  coins: z.array(bundledCoin),
});
export type BundledMarket = z.infer<typeof bundledMarket>;

/** Reads the snapshot that ships with Tidemark; its README describes content and origin. */
export const readBundledMarket = (): BundledMarket => z.parse(bundledMarket, JSON.parse(readFileSync(snapshotFile('coins.json'), 'utf8')));

/** Reads the bundled one-hour BTC/USDT candles, oldest first. */
export const readBundledCandles = (): Candle[] => readBundledFile(snapshotFile('btcusdt-spot-1h.csv.gz'));
