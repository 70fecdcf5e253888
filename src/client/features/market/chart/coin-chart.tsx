import { useId } from 'react';
import { shownMoney } from '#client/coins/money/money.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './coin-chart.module.css';
import { OwnChart } from './coin-chart-own.tsx';
import type { ChartedCoin } from './compared-coin.tsx';
import { ChartFrame } from './provider/coin-chart-frame.tsx';
import { useCoinChart } from './provider/use-coin-chart.ts';

/** A coin's chart: the provider's once it is drawn, otherwise ours. Its height never changes. */
export function CoinChart({ coin }: { coin: ChartedCoin }) {
  const heading = useId();
  const { provider, shown, hasChoice, settle, choose } = useCoinChart(coin.symbol);
  return (
    <div>
      <section className={styles.section} aria-labelledby={heading}>
        <h2 id={heading} className="sr-only">
          Chart
        </h2>
        {shown === 'own' && <OwnChart coin={coin} />}
        {provider && <ChartFrame symbol={provider} name={coin.name} shown={shown === 'provider'} onSettled={settle} />}
      </section>
      {shown === 'provider' && shownMoney() && (
        <p className={styles.note}>
          TradingView's chart is in USD. {PRODUCT}'s chart is in {shownMoney()?.code}.
        </p>
      )}
      {hasChoice && (
        <Button variant="ghost" onClick={() => choose(shown === 'own' ? 'provider' : 'own')}>
          {shown === 'own' ? "Show TradingView's chart" : `Show ${PRODUCT}'s chart, with comparison and table`}
        </Button>
      )}
    </div>
  );
}

/** The place of the chart while the coin loads. */
export const CoinChartOutline = () => <div className={styles.section} />;
