import { FormError } from '#client/ui/fields/form-error.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { formatAge } from '#client/ui/labels/format-age.ts';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { statusOf } from './bot-status.ts';
import styles from './bot-summary.module.css';
import { warningsOf } from './bot-warnings.ts';
import { Gain } from './gain.tsx';

/** How a bot is, in one line of chips: its status first. */
export function BotChips({ bot }: { bot: Bot }) {
  const { word, tone } = statusOf(bot);
  return (
    <div className={styles.chips}>
      <Chip tone={tone}>{word}</Chip>
      <MoneyChips money={moneyOf(bot.config)} names={MONEY_NAMES} speed={bot.config.speed} />
    </div>
  );
}

/** Why it does not trade, or opens nothing new, and what its user should see to. `asOf`: when it was so, ms. */
export const BotTrouble = ({ bot, asOf }: { bot: Bot; asOf: number }) => (
  <>
    {bot.status === 'ERROR' && <FormError>{bot.status_reason ?? 'The bot stopped for an unknown reason.'}</FormError>}
    {warningsOf(bot, asOf).map((text) => (
      <p key={text} className={styles.warning}>
        <Icon name="warning" size={16} />
        <span>{text}</span>
      </p>
    ))}
  </>
);

/** What a bot's money is worth now. */
export function BotEquity({ bot: { equity, position_size } }: { bot: Bot }) {
  // Cut to cents as the equity is, so that the figures add up, and without the cent that binary fractions lose.
  const gain = Math.floor(Math.round((equity - position_size) * 1e6) / 1e4) / 100;
  return (
    <div className={styles.equity}>
      <p className={styles.worth}>
        <span className="sr-only">Equity </span>
        {formatUsd(equity)}
      </p>
      <Gain usd={gain}> ({formatSignedPercent((gain / position_size) * 100)})</Gain>
    </div>
  );
}

/** When the exchange last answered, which a status alone does not tell. `now` in ms. */
export const LastExchange = ({ bot: { last_exchange_at }, now }: { bot: Bot; now: number }) => (
  <p className={styles.last}>
    {last_exchange_at === null ? 'Exchange not checked yet' : `Exchange last checked: ${formatAge(Date.parse(last_exchange_at), now)}`}
  </p>
);
