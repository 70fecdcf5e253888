import { type ReactNode, useId, useState } from 'react';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import { ConfirmDialog, Dialog } from '#client/ui/overlays/dialog.tsx';
import type { Bot, StopMode } from '#contract/bots/bot.ts';
import type { AmountTexts } from '#domain/bots/bot-amounts.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import styles from './bot-dialogs.module.css';
import { consequences } from './consequences.ts';

export type BotQuestion = 'start' | 'stop' | 'close' | 'pause' | 'resume' | 'delete';

interface BotDialogsProps {
  bot: Bot;
  /** The question that is open, if any. */
  question: BotQuestion | undefined;
  busy: boolean;
  onClose: () => void;
  onConfirm: (question: BotQuestion, mode: StopMode) => void;
}

/** Asks for confirmation, and says what a command does to the bot's money. */
export function BotDialogs({ bot, question, busy, onClose, onConfirm }: BotDialogsProps) {
  const amounts = useAmounts();
  if (question === undefined) return null;
  if (question === 'stop') return <StopDialog bot={bot} busy={busy} onClose={onClose} onConfirm={(mode) => onConfirm('stop', mode)} />;
  const { title, confirm, danger, text } = QUESTIONS[question];
  return (
    <ConfirmDialog
      open
      title={title}
      confirm={confirm}
      danger={danger}
      busy={busy}
      onClose={onClose}
      onConfirm={() => onConfirm(question, 'close')}
    >
      <Whose bot={bot} />
      {text(bot, amounts)}
    </ConfirmDialog>
  );
}

/** Names the bot and its kind of money, because two bots can have the same name. */
const Whose = ({ bot: { bot_name, config } }: { bot: Bot }) => (
  <p className={styles.whose}>
    <MoneyChips money={moneyOf(config)} names={MONEY_NAMES} />
    <span className={styles.bot}>{bot_name}</span>
  </p>
);

interface Question {
  title: string;
  confirm: string;
  danger: boolean;
  text: (bot: Bot, amounts: AmountTexts) => ReactNode;
}

const QUESTIONS: Record<Exclude<BotQuestion, 'stop'>, Question> = {
  start: { title: 'Start this bot', confirm: 'Start', danger: false, text: (bot, amounts) => <p>{consequences.start(bot, amounts)}</p> },
  close: {
    title: 'Close the position now',
    confirm: 'Close now',
    danger: true,
    text: (bot, amounts) => <p>{consequences.close(bot, amounts)}</p>,
  },
  pause: {
    title: 'Pause entries',
    confirm: 'Pause entries',
    danger: false,
    text: (bot, amounts) => <p>{consequences.pause(bot, amounts)}</p>,
  },
  resume: {
    title: 'Resume entries',
    confirm: 'Resume entries',
    danger: false,
    text: (bot, amounts) => <p>{consequences.resume(bot, amounts)}</p>,
  },
  delete: {
    title: 'Delete this bot',
    confirm: 'Delete',
    danger: true,
    text: (bot, amounts) => (
      <div className={styles.lines}>
        <p>Are you sure you want to delete this trading bot? This will stop the bot and remove all configuration.</p>
        {bot.position && <p>{consequences.remove(bot.position, amounts)}</p>}
      </div>
    ),
  },
};

const STOPPED = { close: consequences.stop, keep: consequences.keep } as const;

const MODES: { mode: StopMode; name: string }[] = [
  { mode: 'close', name: 'Stop and close the position' },
  { mode: 'keep', name: 'Stop and keep the position' },
];

interface StopDialogProps extends Pick<BotDialogsProps, 'bot' | 'busy' | 'onClose'> {
  onConfirm: (mode: StopMode) => void;
}

/** Asks what should happen to an open position. */
function StopDialog({ bot, busy, onClose, onConfirm }: StopDialogProps) {
  const [mode, setMode] = useState<StopMode>('close');
  const group = useId();
  const amounts = useAmounts();
  return (
    <Dialog
      open
      title="Stop this bot"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" busy={busy} onClick={() => onConfirm(mode)}>
            Stop
          </Button>
        </>
      }
    >
      <Whose bot={bot} />
      {bot.position ? (
        <fieldset className={styles.modes}>
          <legend>No new trades. What should happen to the open position?</legend>
          {MODES.map((each) => (
            <label key={each.mode} className={styles.mode}>
              <input type="radio" name={group} checked={mode === each.mode} onChange={() => setMode(each.mode)} />
              <span>
                <span className={styles.name}>{each.name}</span>
                {STOPPED[each.mode](bot, amounts)}
              </span>
            </label>
          ))}
        </fieldset>
      ) : (
        <p>No new trades. Open orders are canceled.</p>
      )}
    </Dialog>
  );
}
