import type { Venue } from '../venue.ts';
import { BINANCE } from './binance.ts';
import { COINBASE } from './coinbase.ts';
import { KRAKEN } from './kraken.ts';
import { OKX } from './okx.ts';

/** Every exchange that the market reads. */
export const VENUES: readonly Venue[] = [BINANCE, COINBASE, KRAKEN, OKX];
