import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useFormRequest } from '#client/platform/api/use-form-request.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { history } from '#client/platform/router/history.ts';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Select } from '#client/ui/fields/select.tsx';
import { type BacktestCandles, backtestForm, type BacktestForm as Form } from '#contract/bots/backtest.ts';
import { BOT_LEVERAGE, DEFAULT_MAX_DRAWDOWN } from '#contract/bots/bot.ts';
import { DAY, dayOf } from '#domain/clock.ts';
import { LossLimitField } from '../loss-limit-field.tsx';
import { SizeField } from '../size-field.tsx';
import { startBacktest } from './backtest-resources.ts';
import styles from './backtests.module.css';
import { formatDays } from './settings-text.ts';

interface BacktestFormProps {
  candles: readonly BacktestCandles[];
  /** Candle length of the server's bots; undefined while unknown. */
  usual: string | undefined;
  /** Whether one of the user's backtests is queued or running. */
  isBusy: boolean;
}

const DEFAULT_SIZE = '1000';
const YEAR = 365 * DAY;

/** Returns the settings in the address. Defaults: the last year of candles of the bots' length. */
function settingsAt(search: string, candles: readonly BacktestCandles[], usual: string | undefined): Form {
  const given = new URLSearchParams(search);
  const known = candles.filter(({ from }) => from !== null);
  const interval = given.get('interval') ?? (known.find((each) => each.interval === usual) ?? known[0])?.interval ?? '';
  const { from, to } = candles.find((each) => each.interval === interval) ?? {};
  const yearBefore = to ? dayOf(Date.parse(to) - YEAR) : '';
  return {
    interval,
    from: given.get('from') ?? (from && from > yearBefore ? from : yearBefore),
    to: given.get('to') ?? to ?? '',
    position_size: given.get('position_size') || DEFAULT_SIZE,
    leverage: given.get('leverage') || String(BOT_LEVERAGE),
    max_drawdown: given.get('max_drawdown') || String(DEFAULT_MAX_DRAWDOWN),
  };
}

/** Starts a backtest and shows it. */
export function BacktestForm({ candles, usual, isBusy }: BacktestFormProps) {
  const [defaultValues] = useState(() => settingsAt(history.location.search, candles, usual));
  const { register, control, handleSubmit, formState } = useForm({ resolver: zodResolver(backtestForm), mode: 'onTouched', defaultValues });
  const { errors, isSubmitting } = formState;
  const { field: interval } = useController({ control, name: 'interval' });
  const { field: size } = useController({ control, name: 'position_size' });
  const { field: limit } = useController({ control, name: 'max_drawdown' });
  const { failure, submit: start } = useFormRequest(startAndShow, failureOf);
  const reachable = useReachable();
  const reason = useId();
  useBusy(isSubmitting);

  const data = candles.find((each) => each.interval === interval.value);
  const bounds = data?.from && data.to ? { from: data.from, to: data.to, market: data.market } : undefined;
  const days = { type: 'date', min: bounds?.from, max: bounds?.to };
  const submit = handleSubmit(async (form) => {
    if (reachable && bounds) await start(form);
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Backtest a bot" autoComplete="off">
      <Select
        label="Candles"
        value={interval.value}
        options={candles.map((each) => ({ value: each.interval, label: each.from === null ? `${each.interval}, no data` : each.interval }))}
        onChange={interval.onChange}
      />
      {bounds ? (
        <p className={styles.note}>
          {bounds.market}, {formatDays(bounds.from, bounds.to)}. Days are UTC.
        </p>
      ) : (
        <FormError>This server has no {interval.value} candles. Choose another length.</FormError>
      )}
      <div className={styles.pair}>
        <TextField label="First day" error={errors.from?.message} {...days} {...register('from')} />
        <TextField label="Last day" error={errors.to?.message} {...days} {...register('to')} />
      </div>
      <SizeField label="Position Size" error={errors.position_size?.message} {...size} />
      <TextField label="Maximum leverage" inputMode="numeric" error={errors.leverage?.message} {...register('leverage')} />
      <LossLimitField error={errors.max_drawdown?.message} {...limit} />
      {failure && <OutcomeNote outcome={failure} />}
      <RefusableButton type="submit" block refused={!reachable} reason={reason} busy={isSubmitting} disabled={!bounds || isBusy}>
        Run Backtest
      </RefusableButton>
      <RefusalReason id={reason}>{!reachable && 'You can run a backtest once you are online.'}</RefusalReason>
      {isBusy && <p className={styles.note}>You can run one backtest at a time. Wait for it to end, or cancel it.</p>}
    </form>
  );
}

async function startAndShow(form: Form, key: string) {
  const { id } = await startBacktest(form, key);
  history.push(`/trading-bot/backtests/${id}`);
}

const failureOf = (error: unknown): Outcome => ({ tone: 'failed', title: 'The backtest did not start', detail: errorMessage(error) });
