import type { Bot } from '../../../contract/bot';
import { formatSignedPercent, formatUsd } from '../../../domain/format-number';
import { formatAge } from '../../../domain/format-time';
import { Chip } from '../../ui/chip';
import { FormError } from '../../ui/form-error';
import styles from './bot-summary.module.css';
import { exchangeName, formatGain, gainTone, statusOf } from './bot-words';
import { PaperChips } from './paper-chips';

/** How a bot is, in one line of chips: its status first. */
export function BotChips({ bot }: { bot: Bot }) {
  const { word, tone } = statusOf(bot);
  return (
    <div className={styles.chips}>
      <Chip tone={tone}>{word}</Chip>
      <PaperChips paper={bot.config.paper} speed={bot.config.speed} />
    </div>
  );
}

/** Why it does not trade, or opens nothing new, where that is so. */
export const BotTrouble = ({ bot: { status, status_reason, paused_reason } }: { bot: Bot }) => (
  <>
    {status === 'ERROR' && <FormError>{status_reason ?? 'It stopped for a reason that is not known.'}</FormError>}
    {paused_reason !== null && <p className={styles.paused}>Opens nothing new: {paused_reason}</p>}
  </>
);

/** What a bot's money is worth now. */
export function BotEquity({ bot: { equity, position_size } }: { bot: Bot }) {
  const gain = equity - position_size;
  return (
    <div className={styles.equity}>
      <p className={styles.worth}>
        <span className="sr-only">Equity </span>
        {formatUsd(equity)}
      </p>
      <p className={styles.gain} data-tone={gainTone(gain)}>
        {formatGain(gain)} ({formatSignedPercent((gain / position_size) * 100)})
      </p>
    </div>
  );
}

/** When the exchange last answered, which a status alone does not tell. `now` in ms. */
export const LastExchange = ({ bot: { last_exchange_at, config }, now }: { bot: Bot; now: number }) => (
  <p className={styles.last}>
    {last_exchange_at === null
      ? `Not heard of ${exchangeName(config)} yet`
      : `Last answer of ${exchangeName(config)}: ${formatAge(Date.parse(last_exchange_at), now)}`}
  </p>
);
