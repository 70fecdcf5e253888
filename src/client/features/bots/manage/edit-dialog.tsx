import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { PasswordField, TextField } from '#client/ui/fields/field.tsx';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { type Bot, type BotEditForm, botEditForm, DEFAULT_MAX_DRAWDOWN, MAX_BOT_NAME, type UpdateBotBody } from '#contract/bots/bot.ts';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { botMessage } from '../bot-call.ts';
import { LossLimitField } from '../loss-limit-field.tsx';
import { PassphraseField } from '../passphrase-field.tsx';
import { SizeField } from '../size-field.tsx';
import { BotButton, OfflineReason } from './bot-button.tsx';
import { updateBot } from './bot-commands.ts';
import styles from './edit-dialog.module.css';

const formOf = ({ bot_name, position_size, max_drawdown }: Bot): BotEditForm => ({
  bot_name,
  position_size: String(position_size),
  // A bot that an earlier version stored has no limit of its own.
  max_drawdown: String(max_drawdown ?? DEFAULT_MAX_DRAWDOWN),
  api_key: '',
  secret_key: '',
  passphrase: '',
});

/** Returns the fields changed here, so that changes of other devices stay. Undefined if there are none. */
function changesOf(form: BotEditForm, dirty: Partial<Record<keyof BotEditForm, boolean>>) {
  const { bot_name, position_size, max_drawdown, api_key, secret_key, passphrase } = form;
  const changes: UpdateBotBody = {
    ...(dirty.bot_name && { bot_name }),
    ...(dirty.position_size && { position_size }),
    ...(dirty.max_drawdown && { max_drawdown }),
    ...(api_key && { api_key, secret_key, ...(passphrase && { passphrase }) }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

interface EditDialogProps {
  bot: Bot;
  onClose: () => void;
  onSaved: () => void;
}

/** Edits a bot's name, position size and key. The key is sent, but not stored here. */
export function EditDialog({ bot, onClose, onSaved }: EditDialogProps) {
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(botEditForm),
    mode: 'onSubmit', // see sign-up-page.tsx for why not on blur
    defaultValues: formOf(bot),
  });
  const { errors, dirtyFields, isSubmitting } = formState;
  const { field: size } = useController({ control, name: 'position_size' });
  const { field: limit } = useController({ control, name: 'max_drawdown' });
  const [outcome, setOutcome] = useState<Outcome>();
  const reachable = useReachable();
  const reason = useId();
  useBusy(isSubmitting);
  const isResting = bot.status === 'STOPPED' && bot.position === null;

  const submit = handleSubmit(async (form) => {
    if (!reachable) return;
    setOutcome(undefined);
    const changes = changesOf(form, dirtyFields);
    if (!changes) return onClose();
    try {
      await updateBot({ userId: bot.user_id, db: userDb(bot.user_id) }, bot, changes);
      onSaved();
    } catch (error) {
      setOutcome({ tone: 'failed', title: botMessage(error, 'Failed to update trading bot') });
    }
  });

  return (
    <Dialog open title="Edit this bot" onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate autoComplete="off">
        <div className={styles.money}>
          <MoneyChips money={moneyOf(bot.config)} names={MONEY_NAMES} />
        </div>
        <TextField label="Bot Name" maxLength={MAX_BOT_NAME} data-autofocus error={errors.bot_name?.message} {...register('bot_name')} />
        <SizeField
          label="Position Size"
          readOnly={!isResting}
          hint={
            isResting
              ? 'Adds or withdraws the difference. Profits and losses so far stay with the bot.'
              : 'Stop the bot and close its position to change this.'
          }
          error={errors.position_size?.message}
          {...size}
        />
        <LossLimitField error={errors.max_drawdown?.message} {...limit} />
        <fieldset className={styles.key}>
          <legend>Replace the API key</legend>
          <p>
            Leave these empty to keep <span className={styles.hint}>…{bot.key_hint}</span>. A new key must belong to the same exchange
            account.
          </p>
          <TextField label="API Key" spellCheck={false} autoCapitalize="none" error={errors.api_key?.message} {...register('api_key')} />
          <PasswordField
            what="secret"
            label="Secret Key"
            autoComplete="new-password"
            error={errors.secret_key?.message}
            {...register('secret_key')}
          />
          {EXCHANGES[bot.config.exchange].hasPassphrase && (
            <PassphraseField error={errors.passphrase?.message} {...register('passphrase')} />
          )}
        </fieldset>
        {outcome && <OutcomeNote outcome={outcome} />}
        <BotButton type="submit" block reason={reason} busy={isSubmitting}>
          Save
        </BotButton>
        <OfflineReason id={reason} />
      </form>
    </Dialog>
  );
}
