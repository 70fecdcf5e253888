import * as z from 'zod/mini';

/**
 * The exchanges that bots can trade on, and the names that users read. A new one also needs a folder and a line in
 * src/server/ports/exchange/exchanges.ts.
 */
export const EXCHANGES = {
  paper: { title: 'the paper exchange', isSimulated: true },
  bybit: { title: 'Bybit', isSimulated: false },
} as const;

export type ExchangeName = keyof typeof EXCHANGES;
export const EXCHANGE_NAMES = Object.keys(EXCHANGES) as [ExchangeName, ...ExchangeName[]];
export const exchangeName = z.enum(EXCHANGE_NAMES);
