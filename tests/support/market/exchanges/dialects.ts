import type { VenueId } from '#server/ports/market-data/exchanges/venue.ts';
import { binance } from './binance.ts';
import { coinbase } from './coinbase.ts';
import type { Dialect } from './dialect.ts';
import { kraken } from './kraken.ts';
import { okx } from './okx.ts';

/** The public API of each exchange, written from its documentation. */
export const DIALECTS: Record<VenueId, Dialect> = { binance, coinbase, kraken, okx };
