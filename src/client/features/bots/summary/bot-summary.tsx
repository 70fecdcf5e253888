import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { formatAge } from '#client/ui/labels/format-age.ts';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { pricesNote, stalePricesMessage } from '#domain/bots/instrument.ts';
import { formatSignedPercent } from '#domain/format/format-number.ts';
import { statusOf, subStateOf } from './bot-status.ts';
import styles from './bot-summary.module.css';
import { warningsOf } from './bot-warnings.ts';
import { Gain } from './gain.tsx';

/** Shows a bot's status, what it does with its position, and its kind of money as chips. */
export function BotChips({ bot }: { bot: Bot }) {
  const { word, tone } = statusOf(bot);
  const subState = subStateOf(bot);
  return (
    <div className={styles.chips}>
      <Chip tone={tone}>{word}</Chip>
      {subState && <Chip tone="warn">{subState}</Chip>}
      <MoneyChips money={moneyOf(bot.config)} names={MONEY_NAMES} speed={bot.config.speed} />
    </div>
  );
}

/** Shows why a bot failed or paused, and what its user should do. `asOf`: when the service sent this state, ms UTC. */
export function BotTrouble({ bot, asOf }: { bot: Bot; asOf: number }) {
  const { sentence } = useAmounts();
  return (
    <>
      {bot.status === 'ERROR' && <FormError>{sentence(bot.status_reason ?? 'The bot stopped for an unknown reason.')}</FormError>}
      {warningsOf(bot, asOf).map((text) => (
        <Warning key={text} text={sentence(text)} />
      ))}
    </>
  );
}

/** A line that warns. */
export const Warning = ({ text }: { text: string }) => (
  <p className={styles.warning}>
    <Icon name="warning" size={16} />
    <span>{text}</span>
  </p>
);

/** Shows what a bot's money is worth, and its profit or loss. */
export function BotEquity({ bot: { equity, position_size } }: { bot: Bot }) {
  const gain = roundToCents(equity - position_size);
  return (
    <div className={styles.equity}>
      <p className={styles.worth}>
        <span className="sr-only">Equity </span>
        {useAmounts().amount(equity)}
      </p>
      <Gain usd={gain}> ({formatSignedPercent((gain / position_size) * 100)})</Gain>
    </div>
  );
}

/** Says where the prices of paper money come from, so that those of a replay are not taken for the market's. */
export function PricesNote({ of }: { of: Parameters<typeof pricesNote>[0] }) {
  const note = pricesNote(of);
  return note && <p className={styles.last}>{note}</p>;
}

/** Warns of live prices that have stopped. */
export function StalePrices({ of }: { of: Parameters<typeof stalePricesMessage>[0] }) {
  const text = stalePricesMessage(of);
  return text && <Warning text={text} />;
}

/** Shows when the exchange last answered: a running bot may be out of contact. `now` in ms UTC. */
export const LastExchange = ({ bot: { last_exchange_at }, now }: { bot: Bot; now: number }) => (
  <p className={styles.last}>
    {last_exchange_at === null ? 'Exchange not checked yet' : `Exchange last checked: ${formatAge(Date.parse(last_exchange_at), now)}`}
  </p>
);
