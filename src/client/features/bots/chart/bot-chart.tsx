import { type KeyboardEvent, useMemo, useState } from 'react';
import { ChartCredit } from '#client/coins/chart/chart-credit.tsx';
import { LateCandleChart } from '#client/coins/chart/late-candle-chart.tsx';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { Bot } from '#contract/bots/bot.ts';
import type { BotChart as Chart } from '#contract/bots/bot-chart.ts';
import { clockName } from '#domain/bots/instrument.ts';
import { SECOND } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { botChart } from '../history/history-resources.ts';
import { useRefreshOnChange } from '../history/use-refresh-on-change.ts';
import { LoadFailure } from '../load-failure.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from './bot-chart.module.css';
import { actionsAt, chartSummary, linesOf, marksOf } from './chart-marks.ts';

/** Candles shown at first. */
const IN_VIEW = 120;
const REFRESH = 30 * SECOND;

interface BotChartProps {
  bot: Pick<Bot, 'bot_id' | 'user_id' | 'position' | 'config'>;
  /** Closed trades as the page knows them; a change fetches the chart again. */
  count: number;
}

/** The candles that a bot trades on, with levels, entries, exits, and the open position's stop and target. */
export function BotChart({ bot, count }: BotChartProps) {
  const of = { userId: bot.user_id, botId: bot.bot_id };
  const stored = useResource(botChart, of, { refreshInterval: REFRESH });
  const { data, isLoading } = stored;
  useRefreshOnChange(`${count} ${bot.position?.opened_at}`, stored.refresh);
  return (
    <SectionCard title="Chart">
      {data && data.candles.length > 1 && <Drawing chart={data} bot={bot} />}
      {data && data.candles.length <= 1 && <p className={styles.note}>This server has no prices for this bot's market.</p>}
      {data?.trades.length === 0 && <p className={styles.note}>No trades yet on these candles.</p>}
      {isLoading && <Skeleton height={300} radius="var(--radius-card)" />}
      {!data && !isLoading && <LoadFailure of={stored} text="The chart could not be loaded." />}
    </SectionCard>
  );
}

function Drawing({ chart, bot: { position, config } }: { chart: Chart } & Pick<BotChartProps, 'bot'>) {
  const { candles, interval, levels, trades } = chart;
  const [pointed, setPointed] = useState<number>();
  const amounts = useAmounts();
  const marks = useMemo(() => marksOf(chart, config, amounts), [chart, config, amounts]);
  const lines = useMemo(() => linesOf(position), [position]);
  const index = candles.findIndex((candle) => candle.time === pointed);
  const candle = candles[index] ?? candles.at(-1);
  const summary = chartSummary(chart, config, lines);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = index < 0 ? candles.length - 1 : index;
    setPointed(candles[Math.min(candles.length - 1, Math.max(0, at + step))]?.time);
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read the candles
    <figure className={styles.figure} tabIndex={0} aria-label="Candles. Left and right arrow keys read them." onKeyDown={move}>
      <p className={styles.legend} aria-live="polite">
        {candle && (
          <>
            <time dateTime={new Date(candle.time).toISOString()}>
              {formatUtc(candle.time)} {clockName(config)}
            </time>
            <span>
              O {formatUsd(candle.open)} H {formatUsd(candle.high)} L {formatUsd(candle.low)} C {formatUsd(candle.close)}
            </span>
            <span>{actionsAt(trades, candle.time, interval, amounts)}</span>
          </>
        )}
      </p>
      <div className={styles.chart}>
        <LateCandleChart
          candles={candles}
          count={IN_VIEW}
          label={summary}
          onPoint={(one) => setPointed(one?.time)}
          step={interval}
          levels={levels}
          lines={lines}
          marks={marks}
          otherwise="Its summary is below, its trades are in the table."
        />
      </div>
      <figcaption className={styles.note}>
        {summary}
        <ChartCredit />
      </figcaption>
    </figure>
  );
}
