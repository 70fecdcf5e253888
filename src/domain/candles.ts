/** One bar of trading. Prices are in the market's quote currency, the volume in its base currency. */
export interface Candle {
  /** When it opened, ms UTC. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
