/**
 * The exchanges that bots can trade on, the names that users read, and whether a key has a passphrase that its owner chose. A new one also needs a folder and a line in
 * src/server/ports/exchange/exchanges.ts.
 */
export const EXCHANGES = {
  paper: { title: 'the paper exchange', isSimulated: true, hasPassphrase: false },
  bybit: { title: 'Bybit', isSimulated: false, hasPassphrase: false },
  okx: { title: 'OKX', isSimulated: false, hasPassphrase: true },
} as const;

export type ExchangeName = keyof typeof EXCHANGES;
export const EXCHANGE_NAMES = Object.keys(EXCHANGES) as [ExchangeName, ...ExchangeName[]];
