import { FormError } from '#client/ui/fields/form-error.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { formatAge } from '#client/ui/labels/format-age.ts';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { replayNote } from '#domain/bots/instrument.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import { statusOf } from './bot-status.ts';
import styles from './bot-summary.module.css';
import { warningsOf } from './bot-warnings.ts';
import { Gain } from './gain.tsx';

/** Shows a bot's status and kind of money as chips. */
export function BotChips({ bot }: { bot: Bot }) {
  const { word, tone } = statusOf(bot);
  return (
    <div className={styles.chips}>
      <Chip tone={tone}>{word}</Chip>
      <MoneyChips money={moneyOf(bot.config)} names={MONEY_NAMES} speed={bot.config.speed} />
    </div>
  );
}

/** Shows why a bot failed or paused, and what its user should do. `asOf`: when the service sent this state, ms UTC. */
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

/** Shows what a bot's money is worth, and its profit or loss. */
export function BotEquity({ bot: { equity, position_size } }: { bot: Bot }) {
  // Rounds to a millionth first, since binary fractions lose a cent, then cuts to cents as the equity is.
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

/** Says which history a paper market replays, so that its price is not taken for the market's. */
export function ReplayNote({ of }: { of: Parameters<typeof replayNote>[0] }) {
  const note = replayNote(of);
  return note && <p className={styles.last}>{note}</p>;
}

/** Shows when the exchange last answered: a running bot may be out of contact. `now` in ms UTC. */
export const LastExchange = ({ bot: { last_exchange_at }, now }: { bot: Bot; now: number }) => (
  <p className={styles.last}>
    {last_exchange_at === null ? 'Exchange not checked yet' : `Exchange last checked: ${formatAge(Date.parse(last_exchange_at), now)}`}
  </p>
);
