import type { Term } from './term.ts';

/** Terms of trading and of reading charts. */
export const TRADING_TERMS: readonly Term[] = [
  {
    name: 'Support',
    also: ['support level', 'support line', 'support zone'],
    meaning:
      'A price at which falls have stopped before, because buyers waited there. The more often and the more recently it held, the more it is watched. Once broken, it often turns into resistance.',
  },
  {
    name: 'Resistance',
    also: ['resistance level', 'resistance line', 'resistance zone'],
    meaning:
      'A price at which rises have stopped before, because sellers waited there. A break above it may turn it into support, and many breaks fail.',
  },
  {
    name: 'Support and resistance',
    also: ['support & resistance', 's/r', 'support resistance', 'support and resistance level'],
    meaning:
      'Prices at which a market has turned before: support where falls stopped, resistance where rises did. They are zones rather than exact lines, they break, and a broken one often works from its other side.',
  },
  {
    name: 'Leverage',
    also: ['leveraged', 'leveraged trading'],
    meaning:
      'Trading with more than you put in: at 10x a move of 1% makes or loses 10% of your money. At 10x a move of about 10% against you takes all of it, sooner with fees.',
  },
  {
    name: 'Margin',
    also: ['margin trading', 'maintenance margin', 'initial margin', 'cross margin', 'isolated margin'],
    meaning:
      'The money that secures a leveraged position. Isolated margin risks only what was set aside for that position, cross margin the whole account. Below the maintenance margin the exchange closes the position.',
  },
  {
    name: 'Liquidation',
    also: ['liquidated', 'liquidation price', 'margin call'],
    meaning:
      "The forced closing of a leveraged position whose margin is used up. It happens at the market's price, not at yours, and the margin is gone. Higher leverage puts the liquidation price nearer.",
    figure: 'unknown',
  },
  {
    name: 'Perpetual',
    also: ['perpetual future', 'perp', 'perpetual swap', 'perpetual contract'],
    meaning:
      "A future without an end date, the most traded crypto derivative. Its price is tied to the coin's by the funding rate, which holders of one side pay to the other every few hours.",
  },
  {
    name: 'Funding rate',
    also: ['funding', 'funding fee'],
    meaning:
      'What one side of a perpetual pays the other, mostly every 8 hours. Positive: longs pay shorts, because longs are in demand. With leverage it adds up: 0.01% three times a day is about 11% a year of the whole position.',
    figure: 'unknown',
  },
  {
    name: 'Futures',
    also: ['future contract', 'futures contract', 'derivative'],
    meaning:
      'An agreement on a price for later. In crypto it is mostly settled in money and traded with leverage. You own no coin, and losses can reach all of the margin.',
  },
  {
    name: 'Open interest',
    also: ['oi'],
    meaning:
      'The worth of all futures positions that are open. Rising with the price it shows new bets on the rise; a sudden drop shows many positions closed at once, often by liquidation.',
    figure: 'unknown',
  },
  {
    name: 'Long',
    also: ['long position', 'going long', 'go long'],
    meaning:
      'A position that gains when the price rises: simply owning a coin, or a derivative on it. Without leverage the most it can lose is what was paid.',
  },
  {
    name: 'Short',
    also: ['short position', 'short selling', 'going short', 'go short', 'shorting', 'short squeeze'],
    meaning:
      'A position that gains when the price falls, by selling what was borrowed or through a derivative. A price can rise without limit, so losses can too. A short squeeze is a rise fed by shorts that have to buy back.',
  },
  {
    name: 'Stop loss',
    also: ['stop-loss', 'stoploss', 'stop order', 'trailing stop'],
    meaning:
      'An order that closes a position once the price reaches a limit set beforehand. It caps a loss most of the time; in a gap or a crash it is filled at the next price there is, which may be worse. A trailing stop follows a gain.',
  },
  {
    name: 'Take profit',
    also: ['take-profit', 'profit target'],
    meaning: 'An order that closes a position at a gain decided on beforehand, so that greed does not have to be argued with later.',
  },
  {
    name: 'Limit order',
    also: ['limit price'],
    meaning: 'An order to trade at a given price or better. It may wait forever, but it never pays more than it says.',
  },
  {
    name: 'Market order',
    also: [],
    meaning:
      'An order to trade at once at whatever the book offers. It is certain to trade and uncertain in price, most of all in thin markets.',
  },
  {
    name: 'Order book',
    also: ['orderbook', 'market depth', 'depth'],
    meaning:
      'The list of all waiting orders, bids below and asks above. Its depth near the price tells how much can be traded before the price moves.',
    figure: 'unknown',
  },
  {
    name: 'Spread',
    also: ['bid-ask spread', 'bid ask spread', 'bid and ask'],
    meaning:
      'The distance between the best price to buy at and the best to sell at. It is a cost of every round trip, small in large coins and painful in small ones.',
    figure: 'unknown',
  },
  {
    name: 'Slippage',
    also: [],
    meaning: 'The difference between the price you expected and the one you got, because the book moved or was too thin for your order.',
  },
  {
    name: 'Maker and taker fees',
    also: ['maker fee', 'taker fee', 'trading fee', 'maker taker'],
    meaning:
      'Exchanges charge less for orders that wait in the book (maker) than for those that trade at once (taker). With leverage both are taken from the full position, not from your margin.',
  },
  {
    name: 'RSI',
    also: ['relative strength index', 'overbought', 'oversold'],
    meaning:
      'The relative strength index compares the rises of the last candles, mostly 14, with their falls, from 0 to 100. Above 70 is called overbought, below 30 oversold; in a strong trend it can stay there for weeks.',
    figure: 'unknown',
  },
  {
    name: 'Moving average',
    also: ['sma', 'ema', 'ma', 'exponential moving average', 'simple moving average', 'golden cross', 'death cross'],
    meaning:
      'The mean price of the last so many candles, drawn as a line that smooths the noise; the exponential kind weighs recent ones more. When a fast one crosses a slow one it is called a golden or death cross. It always lags.',
    figure: 'unknown',
  },
  {
    name: 'MACD',
    also: ['moving average convergence divergence'],
    meaning:
      'The distance between two exponential moving averages, mostly of 12 and 26 candles, with an average of itself as signal. It shows whether momentum grows or fades, after the fact.',
    figure: 'unknown',
  },
  {
    name: 'Bollinger bands',
    also: ['bollinger', 'bollinger band'],
    meaning:
      'A moving average with a band of two standard deviations on each side. Narrow bands show a calm market, which rarely lasts. Touching a band is not a signal by itself.',
    figure: 'unknown',
  },
  {
    name: 'ATR',
    also: ['average true range'],
    meaning:
      'The average true range: how far a candle usually reaches, gaps included. It measures movement without direction and is used to set stops wider in wild markets.',
    figure: 'unknown',
  },
  {
    name: 'Candlestick',
    also: ['candle', 'candlestick chart', 'ohlc', 'wick', 'doji'],
    meaning:
      'One stretch of time on a chart: a body from the opening to the closing price and wicks to the highest and lowest. A long wick shows a price that was tried and refused.',
  },
  {
    name: 'Trend line',
    also: ['trendline', 'uptrend', 'downtrend', 'trend'],
    meaning:
      'A line along rising lows (uptrend) or falling highs (downtrend). Two points draw it, a third confirms it, and every trend ends.',
  },
  {
    name: 'Breakout',
    also: ['break out', 'fakeout', 'false breakout'],
    meaning:
      'A move through a level that held before. It counts more with volume and a close beyond the level; many breakouts turn back, which is called a fakeout.',
  },
  {
    name: 'Consolidation',
    also: ['ranging', 'sideways', 'range bound'],
    meaning:
      'A stretch in which the price moves sideways between a floor and a ceiling while buyers and sellers balance. How it ends is unknown until it does.',
  },
  {
    name: 'Correction',
    also: ['pullback', 'dip', 'retracement', 'buy the dip'],
    meaning:
      'A fall after a rise, often put at 10% or more. A dip is a correction that was bought; only later can one tell it from the start of a longer fall.',
  },
  {
    name: 'Fibonacci retracement',
    also: ['fibonacci', 'fib level', 'fib'],
    meaning:
      'Lines at 23.6, 38.2, 50 and 61.8% of a move, at which many expect a correction to stop. They work as far as enough people watch them.',
    figure: 'unknown',
  },
  {
    name: 'Drawdown',
    also: ['max drawdown', 'maximum drawdown'],
    meaning:
      'The fall from the highest value an account or a price had to the lowest that followed. A drawdown of 50% needs a gain of 100% to be made good.',
    figure: 'unknown',
  },
  {
    name: 'Risk to reward',
    also: ['risk reward', 'risk/reward', 'rr ratio', 'r:r', 'risk reward ratio', 'position sizing', 'position size', 'risk management'],
    meaning:
      'What a trade can lose up to its stop beside what it can gain up to its target. At 1 to 2 being right four times in ten is enough. Sizing positions so that one loss costs 1 or 2% of the account keeps a bad run survivable.',
  },
  {
    name: 'DCA',
    also: ['dollar cost averaging', 'dollar-cost averaging', 'cost averaging'],
    meaning:
      'Dollar-cost averaging: buying for the same amount at fixed times, whatever the price. It takes the timing out of the decision, not the risk.',
  },
  {
    name: 'Arbitrage',
    also: [],
    meaning:
      'Buying where something is cheap and selling where it is dear at the same time. Fees, transfer times and faster computers take most of what looks like a free gain.',
  },
  {
    name: 'Scalping',
    also: ['day trading', 'swing trading', 'scalp', 'day trade', 'swing trade'],
    meaning:
      'Trading styles by time: scalping lives on minutes, day trading closes by the evening, swing trading holds for days or weeks. The shorter, the more fees decide.',
  },
  {
    name: 'Backtest',
    also: ['backtesting', 'back test'],
    meaning:
      "Running a strategy's rules over past prices. It shows how the rules would have performed. Rules tuned to that past look better than they are. Past results don't guarantee future returns.",
  },
  {
    name: 'Hedge',
    also: ['hedging'],
    meaning:
      'A position that gains when another loses, such as a short future against coins you hold. It costs something and limits gain as well as loss.',
  },
  {
    name: 'Spot',
    also: ['spot market', 'spot trading', 'spot price'],
    meaning: 'Trading the coin itself for delivery now, without leverage. What you buy is yours, and it can fall to zero but not below.',
  },
];
