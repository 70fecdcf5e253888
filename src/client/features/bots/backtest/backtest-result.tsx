import { useState } from 'react';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { BacktestResult as Result } from '#contract/bots/backtest.ts';
import { type AmountTexts, fractionsOfCents, roundToCents } from '#domain/bots/bot-amounts.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { FiguresTable } from '../figures-table.tsx';
import { type TradeOrder, TradeRows } from '../history/trade-rows.tsx';
import { EquityCurve } from '../report/equity-curve.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from './backtests.module.css';

interface BacktestResultProps {
  result: Result;
  /** USD at the start. */
  start: number;
}

/** Shows a backtest's equity beside buy and hold, its figures and its trades. */
export function BacktestResult({ result, start }: BacktestResultProps) {
  const amounts = useAmounts();
  return (
    <>
      <SectionCard title="Equity">
        <EquityCurve points={result.equity} start={start} beside={{ name: 'Buy and hold', points: result.held }} />
        {result.stopped_at !== null && <p className={styles.note}>The loss limit stopped the bot on {formatUtc(result.stopped_at)} UTC.</p>}
      </SectionCard>
      <SectionCard title="Figures">
        <FiguresTable
          columns={['Strategy', 'Buy and hold']}
          rows={result.figures.map(({ label, strategy, held }) => ({ label, figures: [strategy, held] }))}
        />
        <p className={styles.note}>
          {result.market}. With fees, slippage, and funding of 0.01% every 8 hours. Hypothetical: past performance does not guarantee future
          results.
        </p>
      </SectionCard>
      <SectionCard title="Trades">
        {result.trades.length > 0 && <Trades trades={result.trades} />}
        <p className={styles.note}>{sumOf(result, start, amounts)}</p>
      </SectionCard>
    </>
  );
}

function Trades({ trades }: Pick<Result, 'trades'>) {
  const [view, setView] = useState<TradeOrder>({ sort: 'closed_at', order: 'desc' });
  const sign = view.order === 'asc' ? 1 : -1;
  const sorted = [...trades].sort((a, b) => sign * (a[view.sort] < b[view.sort] ? -1 : a[view.sort] > b[view.sort] ? 1 : 0));
  return <TradeRows trades={sorted} view={view} onView={setView} />;
}

/** Describes the profit of the trades, and the rest of the result: rounding, or an open position. */
function sumOf({ trade_count, trade_profit, trades, end }: Result, start: number, { gain }: AmountTexts): string {
  const rest = roundToCents(end - start - trade_profit);
  const isRounding = fractionsOfCents(end - start, trade_profit, trade_count) !== 0;
  return [
    `${formatCount(trade_count, 'trade')} made ${gain(trade_profit)}.`,
    ...(trades.length < trade_count ? [`The list shows the last ${trades.length}.`] : []),
    ...(rest === 0 ? [] : [`${isRounding ? 'Fractions of cents add' : 'A position that is open at the end adds'} ${gain(rest)}.`]),
  ].join(' ');
}
