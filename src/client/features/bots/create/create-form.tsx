import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useController, useForm } from 'react-hook-form';
import { useFormRequest } from '#client/platform/api/use-form-request.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { PasswordField, TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import {
  BOT_LEVERAGE,
  BOT_MESSAGES,
  type BotForm,
  botForm,
  botFormWithPassphrase,
  DEFAULT_MAX_DRAWDOWN,
  MAX_BOT_NAME,
  MIN_POSITION_SIZE,
} from '#contract/bots/bot.ts';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import type { ServerConfig } from '#contract/config.ts';
import { figuresOf, unmeasuredMessage } from '#domain/bots/backtest-figures.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import { exposureReason } from '#domain/bots/exposure.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import { formAddress } from '../backtest/settings-text.ts';
import { LossLimitField } from '../loss-limit-field.tsx';
import { BotButton, OfflineReason } from '../manage/bot-button.tsx';
import { PassphraseField } from '../passphrase-field.tsx';
import { SizeField } from '../size-field.tsx';
import { PricesNote, StalePrices } from '../summary/bot-summary.tsx';
import styles from './create-form.module.css';
import { creationError } from './creation-error.ts';
import { LiveConfirmation, useLiveConfirmation } from './live-confirmation.tsx';
import { LiveWarning } from './live-warning.tsx';
import { DemoAccount, TestNetworkNote } from './play-money-note.tsx';

interface CreateFormProps {
  /** Where the bot will trade; undefined until the server has answered. */
  market: ServerConfig['bots'];
  /** Prefills the position size; empty for none. */
  amount: string;
  onSize: (size: number) => void;
  /** Sends the form. Throws like `send`. */
  onCreate: (form: NewBot, key: string) => Promise<void>;
}

type NewBot = BotForm & { confirm_live?: string };

/** Names the server's addresses. A key restricted to them is useless to a thief. */
const addressHint = (market: CreateFormProps['market']): string | undefined =>
  market && market.egressAddresses.length > 0
    ? `Restrict the key to the addresses that orders come from: ${market.egressAddresses.join(', ')}`
    : undefined;

/** Creates a bot. Offline, the form keeps its input and says why it cannot be sent. */
export function CreateForm({ market, amount, onSize, onCreate }: CreateFormProps) {
  const hasPassphrase = market !== undefined && EXCHANGES[market.exchange].hasPassphrase;
  const { register, control, handleSubmit, setValue, formState } = useForm({
    resolver: zodResolver(hasPassphrase ? botFormWithPassphrase : botForm),
    mode: 'onTouched',
    defaultValues: {
      bot_name: '',
      api_key: '',
      secret_key: '',
      passphrase: '',
      position_size: amount,
      max_drawdown: String(DEFAULT_MAX_DRAWDOWN),
    },
  });
  const { errors, isSubmitting, isValid } = formState;
  const { field: size } = useController({ control, name: 'position_size' });
  const { field: limit } = useController({ control, name: 'max_drawdown' });
  const live = useLiveConfirmation(market);
  const { failure, submit: create } = useFormRequest(onCreate, creationError);
  const reachable = useReachable();
  const reason = useId();
  useBusy(isSubmitting);

  const submit = handleSubmit(async ({ passphrase, ...form }) => {
    if (reachable && live.isGiven) await create({ ...form, ...(passphrase && { passphrase }), ...live.sent });
  });

  const typeSize = (typed: string) => {
    size.onChange(typed);
    onSize(Number(typed));
  };
  const fillDemo = (account: { key: string; secret: string }) => {
    setValue('api_key', account.key, { shouldValidate: true, shouldTouch: true });
    setValue('secret_key', account.secret, { shouldValidate: true, shouldTouch: true });
  };
  const isSmall = Number(size.value) > 0 && Number(size.value) < MIN_POSITION_SIZE;

  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Create a trading bot" autoComplete="off">
      {market?.exchange === 'paper' && <DemoAccount onUse={fillDemo} />}
      {market && moneyOf(market) === 'testnet' && <TestNetworkNote exchange={market.exchange} />}
      {market && live.isRequired && <LiveWarning exchange={market.exchange} />}
      <TextField label="Bot Name" maxLength={MAX_BOT_NAME} error={errors.bot_name?.message} {...register('bot_name')} />
      <TextField
        label="API Key"
        spellCheck={false}
        autoCapitalize="none"
        hint={addressHint(market)}
        error={errors.api_key?.message}
        {...register('api_key')}
      />
      <PasswordField
        what="secret"
        label="Secret Key"
        autoComplete="new-password"
        hint="Encrypted and never shown again. Use a subaccount key without withdrawal permission."
        error={errors.secret_key?.message}
        {...register('secret_key')}
      />
      {hasPassphrase && <PassphraseField error={errors.passphrase?.message} {...register('passphrase')} />}
      <SizeField
        label="Position Size"
        placeholder={`${MIN_POSITION_SIZE} or more`}
        hint={amount && size.value === amount ? 'From the Configure page.' : undefined}
        error={isSmall ? BOT_MESSAGES.smallSize : errors.position_size?.message}
        {...size}
        onChange={typeSize}
      />
      <LossLimitField error={errors.max_drawdown?.message} {...limit} />
      <BacktestLink position_size={size.value} max_drawdown={limit.value} market={market} />
      <FixedTerms market={market} />
      <LiveConfirmation state={live} />
      {failure && <OutcomeNote outcome={failure} />}
      <BotButton type="submit" block reason={reason} busy={isSubmitting} disabled={!isValid || !live.isGiven || isRefused(market)}>
        Create Bot
      </BotButton>
      <OfflineReason id={reason} />
    </form>
  );
}

/** Opens a tab of its own: the form keeps its input, whose secrets are stored nowhere. */
const BacktestLink = ({ market, ...settings }: { position_size: string; max_drawdown: string } & Pick<CreateFormProps, 'market'>) => (
  <a
    className={styles.backtest}
    target="_blank"
    rel="noopener"
    href={formAddress({ ...settings, ...(market?.interval && { interval: market.interval }) })}
  >
    Backtest these settings
  </a>
);

/** Whether bots would trade real money on candles that no backtest covers. The server refuses such a bot. */
const isRefused = (market: CreateFormProps['market']): boolean =>
  market?.interval !== undefined && moneyOf(market) === 'live' && !figuresOf(market.interval);

const FixedTerms = ({ market }: Pick<CreateFormProps, 'market'>) => (
  <>
    <dl className={styles.fixed}>
      {Object.entries({
        Leverage: `${BOT_LEVERAGE}x, fixed`,
        Asset: instrumentName(market ?? { speed: null }),
        ...(market?.interval && { Candles: market.interval }),
      }).map(([name, term]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{term}</dd>
        </div>
      ))}
    </dl>
    {market && <PricesNote of={market} />}
    {market && <StalePrices of={market} />}
    {market?.interval && <p className={styles.exposure}>{exposureReason(BOT_LEVERAGE, market.interval)}</p>}
    {market?.interval && isRefused(market) && <FormError>{unmeasuredMessage(market.interval)}</FormError>}
  </>
);
