import { useState } from 'react';
import type { BotForm } from '#contract/bots/bot.ts';
import type { ServerConfig } from '#contract/config.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import { MoneyCard } from '../money-card.tsx';
import { CreateForm } from './create-form.tsx';
import styles from './create-view.module.css';
import { StrategyMetrics } from './strategy-metrics.tsx';

interface CreateViewProps {
  market: ServerConfig['bots'];
  /** Prefills the position size; empty for none. */
  amount: string;
  onCreate: (form: BotForm & { confirm_live?: string }, key: string) => Promise<void>;
}

/** Creates the first bot: the form, beside what the strategy is expected to earn and lose. */
export function CreateView({ market, amount, onCreate }: CreateViewProps) {
  const [size, setSize] = useState(Number(amount));
  return (
    <div className={styles.view}>
      <MoneyCard money={market && moneyOf(market)} className={styles.form}>
        <h2>Create a trading bot</h2>
        <CreateForm market={market} amount={amount} onSize={setSize} onCreate={onCreate} />
      </MoneyCard>
      <StrategyMetrics size={size} interval={market?.interval} />
    </div>
  );
}
