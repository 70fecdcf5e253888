import type { Bot } from '#contract/bots/bot.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './bot-facts.module.css';

/** Lists a bot's size, leverage, market and key. */
export function BotFacts({ bot: { position_size, leverage, config, key_hint } }: { bot: Bot }) {
  const facts = {
    Size: formatUsd(position_size),
    Leverage: `${leverage}x`,
    Market: `${config.asset} ${config.interval}`,
    Key: `…${key_hint}`,
  };
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
