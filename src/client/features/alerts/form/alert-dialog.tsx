import { useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Segments } from '#client/ui/fields/segments.tsx';
import { Switch } from '#client/ui/fields/switch.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { Alert } from '#contract/alerts/alert.ts';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import { ALERT_PERIODS, MAX_NOTE } from '#contract/alerts/alert-limits.ts';
import { formatSignedPercent, formatSymbol, formatUsd } from '#domain/format/format-number.ts';
import { putAlert } from '../change-alerts.ts';
import styles from './alert-dialog.module.css';
import { type AlertInput, type Facts, inputOf, isPrice, localTime, priceText, readAmount, readInput, type Way } from './alert-input.ts';
import { type KnownLevel, useKnownLevels } from './known-levels.ts';

interface StartLevel {
  /** USD. */
  price?: number | undefined;
  name?: string | undefined;
  side?: 'above' | 'below' | undefined;
}

export interface AlertDialogProps {
  /** Null for the whole watchlist. */
  coin: AlertCoin | null;
  /** USD; unknown without it. */
  price?: number | null | undefined;
  changes?: Facts['changes'];
  /** The alert to edit. */
  alert?: Alert | undefined;
  /** What a new alert starts with. `name`: of the level at this price, kept unless the user types another price. */
  start?: StartLevel | undefined;
  onClose: () => void;
  onSaved?: () => void;
}

const NEW: AlertInput = { way: 'above', amount: '', period: '24h', note: '', rearms: false, expires: '' };
const WAYS = [
  { value: 'above', label: 'Above' },
  { value: 'below', label: 'Below' },
  { value: 'rises', label: 'Rises' },
  { value: 'falls', label: 'Falls' },
] as const;
const PERIOD_OPTIONS = ALERT_PERIODS.map((value) => ({ value, label: value }));

/** Returns the fields that the form opens with. */
function startOf({ alert, coin, price, start }: AlertDialogProps): AlertInput {
  if (alert) return inputOf(alert);
  if (start?.price === undefined) return { ...NEW, way: coin ? (start?.side ?? 'above') : 'rises' };
  const side = price == null ? (start.side ?? 'above') : start.price >= price ? 'above' : 'below';
  return { ...NEW, way: side, amount: priceText(start.price) };
}

/** Creates or edits a price alert. It is saved on the device at once, and sent when possible. */
export function AlertDialog(props: AlertDialogProps) {
  const { coin, price, changes, alert, start, onClose, onSaved } = props;
  const userId = useClaims().sub;
  const levels = useKnownLevels(coin?.id, price);
  const [failure, setFailure] = useState<string>();
  const facts = (): Facts => ({ coin, price, changes, before: alert, levels: [...ownLevels(alert, start), ...levels], now: Date.now() });
  const { register, control, handleSubmit, setValue, formState } = useForm<AlertInput>({
    defaultValues: startOf(props),
    resolver: async (input) => resolve(input, facts()),
  });
  const { errors, isSubmitting, isDirty } = formState;
  const { field: way } = useController({ control, name: 'way' });
  const { field: amount } = useController({ control, name: 'amount' });
  const { field: period } = useController({ control, name: 'period' });
  const { field: rearms } = useController({ control, name: 'rearms' });
  const reachable = useReachable();
  useBusy(isSubmitting || isDirty);

  const submit = handleSubmit(async (input) => {
    const read = readInput(input, facts());
    if (!('alert' in read)) return;
    const seen = coin === null ? null : ((isPrice(input.way) ? price : changes?.[input.period]) ?? null);
    try {
      await putAlert(userDb(userId), userId, { id: alert?.id, alert: read.alert, seen });
      onSaved?.();
      onClose();
    } catch {
      setFailure('Your alert could not be saved on this device. Free some storage and try again.');
    }
  });

  return (
    <Dialog
      open
      title={alert ? 'Edit alert' : `Alert for ${coin ? formatSymbol(coin.symbol) || coin.name : 'your watchlist'}`}
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={submit} noValidate autoComplete="off">
        <Segments label="When the price is" value={way.value} options={coin ? WAYS : WAYS.slice(2)} onChange={way.onChange} />
        {!isPrice(way.value) && <Segments label="Period" value={period.value} options={PERIOD_OPTIONS} onChange={period.onChange} />}
        <TextField
          label={isPrice(way.value) ? 'Price in USD' : 'Change in percent'}
          inputMode="decimal"
          data-autofocus
          error={errors.amount?.message}
          hint={amountHint(way.value, amount.value, {
            price,
            change: changes?.[period.value],
            level: levelAt(amount.value, ownLevels(alert, start)),
          })}
          trailing={<span className={styles.unit}>{isPrice(way.value) ? 'USD' : '%'}</span>}
          {...amount}
        />
        {isPrice(way.value) && (
          <Levels
            levels={levels}
            onChoose={(level) => {
              setValue('way', level.name === 'Resistance' ? 'above' : 'below');
              setValue('amount', priceText(level.price), { shouldDirty: true, shouldValidate: true });
            }}
          />
        )}
        <TextField label="Note (optional)" hint={`Up to ${MAX_NOTE} characters`} error={errors.note?.message} {...register('note')} />
        <TextField
          label="Expires (optional)"
          type="datetime-local"
          min={localTime(Date.now())}
          error={errors.expires?.message}
          {...register('expires')}
        />
        <Switch label="Repeat" detail="Fires again after the price has left the level." on={rearms.value} onChange={rearms.onChange} />
        {failure && <FormError>{failure}</FormError>}
        <Button type="submit" block busy={isSubmitting}>
          {alert ? 'Save' : 'Set alert'}
        </Button>
        {!reachable && <p className={styles.quiet}>You are offline. The alert starts once you are back online.</p>}
      </form>
    </Dialog>
  );
}

/** Returns the errors in the form that react-hook-form takes; it focuses the first field with one. */
function resolve(input: AlertInput, facts: Facts) {
  const read = readInput(input, facts);
  if ('alert' in read) return { values: input, errors: {} };
  const errors = Object.entries(read.errors).map(([field, message]) => [field, { type: 'value', message }]);
  return { values: {}, errors: Object.fromEntries(errors) };
}

/** The named levels of the edited alert, and of the request for a new one. */
function ownLevels(alert: Alert | undefined, start: StartLevel | undefined): Facts['levels'] & {} {
  const edited = alert && alert.kind !== 'percent' && alert.level_name !== null ? [{ name: alert.level_name, price: alert.price }] : [];
  return start?.name !== undefined && start.price !== undefined ? [...edited, { name: start.name, price: start.price }] : edited;
}

/** Returns the name of the level at the typed price, shown while it stays. */
function levelAt(text: string, levels: Facts['levels'] & {}): string | undefined {
  const amount = readAmount(text);
  return amount === undefined ? undefined : levels.find(({ price }) => price === amount)?.name;
}

function amountHint(
  way: Way,
  text: string,
  { price, change, level }: { price?: number | null | undefined; change?: number | null | undefined; level: string | undefined },
): string | undefined {
  if (!isPrice(way)) return change == null ? undefined : `Now ${formatSignedPercent(change)}`;
  const amount = readAmount(text);
  const distance = amount && price != null ? `, ${formatSignedPercent((amount / price - 1) * 100)} from here` : '';
  const parts = [...(level === undefined ? [] : [level]), ...(price == null ? [] : [`Now ${formatUsd(price)}${distance}`])];
  return parts.length > 0 ? parts.join('. ') : undefined;
}

function Levels({ levels, onChoose }: { levels: readonly KnownLevel[]; onChoose: (level: KnownLevel) => void }) {
  if (levels.length === 0) return null;
  return (
    <fieldset className={styles.levels}>
      <legend className={styles.quiet}>Levels on this coin’s chart</legend>
      {levels.map((level) => (
        <Button key={level.price} variant="secondary" className={styles.level} onClick={() => onChoose(level)}>
          {level.name} {formatUsd(level.price)}
        </Button>
      ))}
    </fieldset>
  );
}
