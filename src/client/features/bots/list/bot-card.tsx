import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { formatAmount } from '#domain/bots/bot-amounts.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import { BotActions } from '../manage/bot-actions.tsx';
import { MoneyCard } from '../money-card.tsx';
import { BotFacts } from '../summary/bot-facts.tsx';
import { BotChips, BotEquity, BotTrouble, LastExchange, PricesNote } from '../summary/bot-summary.tsx';
import styles from './bot-card.module.css';

interface BotCardProps {
  bot: Bot;
  /** ms UTC. */
  now: number;
  /** When the service sent this state, ms UTC. */
  asOf: number;
  onOutcome: (outcome: Outcome | undefined) => void;
  onChanged: () => void;
}

/** A bot in the list, with its actions. */
export function BotCard({ bot, now, asOf, onOutcome, onChanged }: BotCardProps) {
  const { bot_id, bot_name, config, position } = bot;
  const { quantity, gain } = useAmounts();
  return (
    <MoneyCard money={moneyOf(config)} className={styles.card}>
      <a className={styles.name} href={`/trading-bot/bots/${bot_id}`}>
        <h2>{bot_name}</h2>
        <Icon name="chevron-right" size={20} />
      </a>
      <BotChips bot={bot} />
      <BotEquity bot={bot} />
      <BotTrouble bot={bot} asOf={asOf} />
      {position && (
        <p className={styles.position}>
          {position.side === 'long' ? 'Long' : 'Short'} {quantity(position.quantity)} at {formatAmount(position.entry_price)},{' '}
          {gain(position.unrealised_pnl)}
        </p>
      )}
      <BotFacts bot={bot} />
      <PricesNote of={config} />
      <LastExchange bot={bot} now={now} />
      <BotActions bot={bot} onOutcome={onOutcome} onChanged={onChanged} />
    </MoneyCard>
  );
}
