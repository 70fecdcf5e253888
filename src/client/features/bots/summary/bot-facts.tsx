import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { type Bot, DEFAULT_MAX_DRAWDOWN } from '#contract/bots/bot.ts';
import { exposureOf, exposureReason } from '#domain/bots/exposure.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import styles from './bot-facts.module.css';

/** Lists a bot's size, exposure, leverage, market and key, and explains the exposure. */
export function BotFacts({ bot: { position_size, leverage, max_drawdown, config, key_hint, position, equity } }: { bot: Bot }) {
  const facts = {
    Size: useAmounts().amount(position_size),
    'Exposure now': `${exposureOf(position, equity).toFixed(1)}x`,
    'Loss limit': `${max_drawdown ?? DEFAULT_MAX_DRAWDOWN}%`,
    Leverage: `up to ${leverage}x`,
    Market: `${instrumentName(config)} ${config.interval}`,
    Key: `…${key_hint}`,
  };
  return (
    <>
      <dl className={styles.facts}>
        {Object.entries(facts).map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.reason}>{exposureReason(leverage, config.interval)}</p>
    </>
  );
}
