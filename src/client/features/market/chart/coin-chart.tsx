import { useId } from 'react';
import { classes } from '#client/ui/classes.ts';
import styles from './coin-chart.module.css';
import { ChartFrame } from './coin-chart-frame.tsx';
import { OwnChart } from './coin-chart-own.tsx';
import type { CoinChartState } from './use-coin-chart.ts';

/** A coin's daily chart: the provider's once it is drawn, otherwise ours, otherwise nothing. */
export function CoinChart({ chart: { history, provider, shown, settle }, name }: { chart: CoinChartState; name: string }) {
  const heading = useId();
  return (
    <section className={classes(styles.section, shown === 'none' && styles.absent)} aria-labelledby={heading} inert={shown === 'none'}>
      <h2 id={heading} className="sr-only">
        Daily chart
      </h2>
      {shown === 'own' && history && <OwnChart history={history} name={name} />}
      {provider && <ChartFrame symbol={provider} name={name} shown={shown === 'provider'} onSettled={settle} />}
    </section>
  );
}
