import type { Bot } from '../../../contract/bot';
import { moneyOf } from '../../../domain/bot-money';
import { formatBtc, formatUsd } from '../../../domain/format-number';
import { Icon } from '../../ui/icon';
import type { Outcome } from '../../ui/outcome-note';
import { BotActions } from './bot-actions';
import styles from './bot-card.module.css';
import { BotChips, BotEquity, BotTrouble, LastExchange } from './bot-summary';
import { formatGain } from './bot-words';
import { MoneyCard } from './money-card';

interface BotCardProps {
  bot: Bot;
  /** ms. */
  now: number;
  /** When this was what the service said of it, ms. */
  asOf: number;
  onOutcome: (outcome: Outcome | undefined) => void;
  onChanged: () => void;
}

/** One bot of the list. */
export function BotCard({ bot, now, asOf, onOutcome, onChanged }: BotCardProps) {
  const { bot_id, bot_name, position_size, leverage, config, key_hint, position } = bot;
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
          {position.side === 'long' ? 'Long' : 'Short'} {formatBtc(position.quantity)} at {formatUsd(position.entry_price)},{' '}
          {formatGain(position.unrealised_pnl)}
        </p>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>Size</dt>
          <dd>{formatUsd(position_size)}</dd>
        </div>
        <div>
          <dt>Leverage</dt>
          <dd>{leverage}x</dd>
        </div>
        <div>
          <dt>Market</dt>
          <dd>
            {config.asset} {config.interval}
          </dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>…{key_hint}</dd>
        </div>
      </dl>
      <LastExchange bot={bot} now={now} />
      <BotActions bot={bot} onOutcome={onOutcome} onChanged={onChanged} />
    </MoneyCard>
  );
}
