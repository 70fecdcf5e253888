import { MINUTE } from '../clock.ts';
import { roundToCents, sumOfCents } from './bot-amounts.ts';
import { RISK_PER_TRADE } from './exposure.ts';

/** A closed trade of a bot or of its backtest. Times in ms of the feed's time, prices and amounts in USD, quantity in BTC. */
export interface ComparableTrade {
  /** Opening time of the candle whose signal opened it. */
  candle: number;
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  exitPrice: number;
  openedAt: number;
  closedAt: number;
  /** Net of fees and funding, in whole cents. */
  pnl: number;
  fees: number;
  /** Funding received; negative if paid. */
  funding: number;
  reason: string;
}

/** Why a trade of both made different profits. `fees` includes funding. */
type PairCause = 'entry' | 'delay' | 'exit' | 'fees' | 'size';
/** Why one of the two made a trade that the other one did not. `open`: its position is still open. */
export type LoneCause = 'paused' | 'stopped' | 'error' | 'refused' | 'offline' | 'held' | 'missed' | 'extra' | 'open';
export type DifferenceCause = PairCause | LoneCause;

export interface Part {
  cause: DifferenceCause;
  /** USD in whole cents; positive where the bot made more. */
  amount: number;
}

/** Why only one of the two has a trade. */
export interface LoneReason {
  cause: LoneCause;
  /** A sentence for the user. */
  text: string;
}

export interface ComparedTrade {
  bot: ComparableTrade | null;
  backtest: ComparableTrade | null;
  /** The bot's profit without the backtest's, in whole cents. The parts add up to it. */
  difference: number;
  parts: Part[];
  /** Null for a trade that both closed. */
  text: string | null;
}

interface Trades {
  /** At most one per candle and side. */
  bot: readonly ComparableTrade[];
  backtest: readonly ComparableTrade[];
  /** Explains a trade that the other one lacks. */
  explain: (trade: ComparableTrade, lacking: 'bot' | 'backtest') => LoneReason;
}

export interface TradeComparison {
  /** By candle, oldest first. */
  trades: ComparedTrade[];
  botProfit: number;
  backtestProfit: number;
  /** The bot's profit without the backtest's. The causes add up to it. */
  difference: number;
  /** Each cause once, with the number of trades it changed; the largest amount first. */
  causes: (Part & { trades: number })[];
}

/** Bots enter within a minute after their candle has closed, ms. */
const LATE = MINUTE;

/** Pairs trades by their entry signal, and puts each difference of profit down to its causes. Amounts in USD, whole cents. */
export function compareTrades({ bot, backtest, explain }: Trades): TradeComparison {
  const nameOf = ({ candle, side }: ComparableTrade) => `${candle} ${side}`;
  const left = new Map(backtest.map((trade) => [nameOf(trade), trade]));
  const trades = bot.map((trade) => {
    const same = left.get(nameOf(trade));
    left.delete(nameOf(trade));
    return same ? comparePair(trade, same) : lone({ bot: trade, backtest: null }, trade.pnl, explain(trade, 'backtest'));
  });
  for (const trade of left.values()) trades.push(lone({ bot: null, backtest: trade }, -trade.pnl, explain(trade, 'bot')));
  trades.sort((one, other) => candleOf(one) - candleOf(other));
  const botProfit = sumOfCents(bot.map(({ pnl }) => pnl));
  const backtestProfit = sumOfCents(backtest.map(({ pnl }) => pnl));
  return { trades, botProfit, backtestProfit, difference: sumOfCents([botProfit, -backtestProfit]), causes: sumCauses(trades) };
}

const candleOf = ({ bot, backtest }: Pick<ComparedTrade, 'bot' | 'backtest'>): number => (bot ?? backtest)?.candle ?? 0;

const lone = (of: Pick<ComparedTrade, 'bot' | 'backtest'>, difference: number, { cause, text }: LoneReason): ComparedTrade => ({
  ...of,
  difference,
  parts: difference === 0 ? [] : [{ cause, amount: difference }],
  text,
});

/** Compares at the bot's quantity; the profit of the backtest's trade at that quantity makes the part of the size. */
function comparePair(bot: ComparableTrade, backtest: ComparableTrade): ComparedTrade {
  const direction = bot.side === 'long' ? 1 : -1;
  const ratio = bot.quantity / backtest.quantity;
  const entryCause = Math.abs(bot.openedAt - backtest.openedAt) > LATE ? 'delay' : 'entry';
  const difference = sumOfCents([bot.pnl, -backtest.pnl]);
  const exact: Part[] = [
    { cause: entryCause, amount: direction * bot.quantity * (backtest.entryPrice - bot.entryPrice) },
    { cause: 'exit', amount: direction * bot.quantity * (bot.exitPrice - backtest.exitPrice) },
    { cause: 'fees', amount: bot.funding - bot.fees - ratio * (backtest.funding - backtest.fees) },
    { cause: 'size', amount: (ratio - 1) * backtest.pnl },
  ];
  return { bot, backtest, difference, parts: splitCents(difference, exact), text: null };
}

/** Rounds parts to cents that add up to `total`: the largest part takes the cents that rounding leaves. */
function splitCents(total: number, exact: readonly Part[]): Part[] {
  const parts = exact.map(({ cause, amount }) => ({ cause, amount: roundToCents(amount) }));
  const rest = sumOfCents([total, ...parts.map(({ amount }) => -amount)]);
  const largest = parts.reduce((most, part) => (Math.abs(part.amount) > Math.abs(most.amount) ? part : most));
  largest.amount = sumOfCents([largest.amount, rest]);
  return parts.filter(({ amount }) => amount !== 0);
}

function sumCauses(trades: readonly ComparedTrade[]): (Part & { trades: number })[] {
  const sums = new Map<DifferenceCause, Part & { trades: number }>();
  for (const { cause, amount } of trades.flatMap(({ parts }) => parts)) {
    const sum = sums.get(cause) ?? { cause, amount: 0, trades: 0 };
    sums.set(cause, { cause, amount: sumOfCents([sum.amount, amount]), trades: sum.trades + 1 });
  }
  return [...sums.values()].sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount));
}

/** Returns the largest total difference that needs no warning, USD: what one trade may lose at its stop. */
export const differenceBand = (capital: number): number => roundToCents(capital * RISK_PER_TRADE);

/** Whether a bot's results are so far from its backtest's that its user should know. USD. */
export const isBeyondBand = ({ difference, band }: { difference: number; band: number }): boolean => Math.abs(difference) > band;
