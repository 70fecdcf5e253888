import { useState } from 'react';
import { ChartCredit } from '#client/coins/chart/chart-credit.tsx';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Segments } from '#client/ui/fields/segments.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { type Indicator, TIMEFRAMES, type Timeframe } from '#contract/market/indicator.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import { SECOND } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './indicator-page.module.css';
import { indicatorResource } from './indicator-resource.ts';
import { LevelChart } from './level-chart.tsx';
import { LevelList } from './level-list.tsx';
import { signalMessage } from './signal-message.ts';

const REFRESH_INTERVAL = 5 * SECOND;
const OPENS_WITH: Timeframe = '1h';

/** `/indicator`, the page in the frame of the training insight: BTC with the strategy's levels. */
export default function IndicatorPage() {
  const [timeframe, setTimeframe] = useState(OPENS_WITH);
  const indicator = useResource(indicatorResource, { timeframe }, { refreshInterval: REFRESH_INTERVAL });
  const offline = !useReachable();
  const { data } = indicator;
  const price = data?.candles.at(-1)?.close;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          {instrumentName({ speed: data?.speed ?? null })} <span className={styles.price}>{price !== undefined && formatUsd(price)}</span>
        </h1>
        <Segments className={styles.timeframes} label="Length of a candle" value={timeframe} options={timeframes} onChange={setTimeframe} />
      </header>
      <div className={styles.tools}>
        <SavedStamp savedAt={indicator.savedAt} origin={indicator.origin} offline={offline} />
        {data?.speed != null && data.speed !== 1 && <Chip tone="warn">Replay ×{data.speed}</Chip>}
      </div>
      {data ? (
        <Content key={timeframe} indicator={data} />
      ) : indicator.isLoading ? (
        <>
          <div className={styles.placeholder} role="status">
            <span className="sr-only">Loading</span>
            <Skeleton height="100%" radius="var(--radius-card)" />
          </div>
          <Skeleton height={240} radius="var(--radius-card)" />
        </>
      ) : (
        <ErrorState
          title="The levels could not be loaded"
          detail={`${errorMessage(indicator.error)} This timeframe is not saved on this device yet.`}
          action={
            <Button busy={indicator.isValidating} onClick={() => void indicator.refresh()}>
              Try again
            </Button>
          }
        />
      )}
    </div>
  );
}

function Content({ indicator }: { indicator: Indicator }) {
  const { action } = indicator.signal;
  return (
    <>
      <LevelChart indicator={indicator} />
      <section className={styles.words} aria-label="What the strategy sees">
        <p className={styles.signal}>
          <Chip tone={action === 'long' ? 'up' : action === 'short' ? 'down' : 'info'}>{SIGNALS[action]}</Chip>
          <span>{signalMessage(indicator.signal)}</span>
        </p>
        <LevelList indicator={indicator} />
      </section>
      <p className={styles.source}>
        {indicator.source}
        <ChartCredit />
      </p>
    </>
  );
}

const SIGNALS = { long: 'Long', short: 'Short', wait: 'Wait' } as const;

const NAMES: Record<Timeframe, string> = { '15m': '15 minutes', '1h': '1 hour', '4h': '4 hours', '1d': '1 day' };

const timeframes = TIMEFRAMES.map((each) => ({ value: each, label: each, name: NAMES[each] }));
