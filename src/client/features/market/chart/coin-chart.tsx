import { useId } from 'react';
import { shownMoney } from '#client/coins/money/money.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import type { AlertLevel } from '../alerts-slot.ts';
import styles from './coin-chart.module.css';
import { OwnChart } from './coin-chart-own.tsx';
import type { ChartedCoin } from './compared-coin.tsx';
import { ChartFrame } from './provider/coin-chart-frame.tsx';
import { useCoinChart } from './provider/use-coin-chart.ts';

interface CoinChartProps {
  coin: ChartedCoin;
  /** A price to draw. The provider's chart cannot, so ours shows. */
  level?: AlertLevel | undefined;
}

/** A coin's chart: the provider's once it is drawn, otherwise ours. Its height never changes. */
export function CoinChart({ coin, level }: CoinChartProps) {
  const heading = useId();
  const { provider, shown: chosen, hasChoice, settle, choose } = useCoinChart(coin.symbol);
  const shown = level ? 'own' : chosen;
  return (
    <div>
      <section className={styles.section} aria-labelledby={heading}>
        <h2 id={heading} className="sr-only">
          Chart
        </h2>
        {shown === 'own' && <OwnChart coin={coin} level={level} />}
        {provider && <ChartFrame symbol={provider} name={coin.name} shown={shown === 'provider'} onSettled={settle} />}
      </section>
      {shown === 'provider' && shownMoney() && (
        <p className={styles.note}>
          TradingView's chart is in USD. {PRODUCT}'s chart is in {shownMoney()?.code}.
        </p>
      )}
      {hasChoice && !level && (
        <Button variant="ghost" onClick={() => choose(shown === 'own' ? 'provider' : 'own')}>
          {shown === 'own' ? "Show TradingView's chart" : `Show ${PRODUCT}'s chart, with comparison and table`}
        </Button>
      )}
    </div>
  );
}

/** The place of the chart while the coin loads. */
export const CoinChartOutline = () => <div className={styles.section} />;
