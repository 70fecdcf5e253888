import { useId, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { history } from '#client/platform/router/history.ts';
import { isNotConfirmed } from '#client/platform/session/re-authentication.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import { type Bot, PAUSED_BY_USER, type StopMode } from '#contract/bots/bot.ts';
import { riskLevel } from '#domain/bots/bot-figures.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import { botMessage } from '../bot-call.ts';
import styles from './bot-actions.module.css';
import { BotButton, OfflineReason } from './bot-button.tsx';
import { closeNow, deleteBot, pauseBot, resumeBot, startBot, stopBot } from './bot-commands.ts';
import { BotDialogs, type BotQuestion } from './bot-dialogs.tsx';

export const DELETED: Outcome = { tone: 'done', title: 'Trading bot stopped and deleted successfully!' };

interface BotActionsProps {
  bot: Bot;
  /** Receives a command's outcome, or undefined when a command begins. */
  onOutcome: (outcome: Outcome | undefined) => void;
  /** Called after a command: the service has a newer state. */
  onChanged: () => void;
  /** Called instead of `onChanged` after the bot was deleted. */
  onDeleted?: () => void;
}

/** Offers the commands that a bot's status allows. Each shows its consequence before it runs. */
export function BotActions({ bot, onOutcome, onChanged, onDeleted }: BotActionsProps) {
  const [question, ask] = useState<BotQuestion>();
  const [busy, setBusy] = useState(false);
  const reachable = useReachable();
  const reason = useId();
  useBusy(busy);
  // A question must not reappear by itself when the connection is back.
  if (question !== undefined && !reachable && !busy) ask(undefined);

  async function confirm(asked: BotQuestion, mode: StopMode) {
    if (busy) return;
    const owner = { userId: bot.user_id, db: userDb(bot.user_id) };
    setBusy(true);
    onOutcome(undefined);
    try {
      await COMMANDS[asked].run(owner, bot, mode);
      if (asked === 'delete') onOutcome(DELETED);
      if (asked === 'delete' && onDeleted) onDeleted();
      else onChanged();
    } catch (error) {
      onOutcome(failureOf(asked, error));
      onChanged();
    } finally {
      setBusy(false);
      ask(undefined);
    }
  }

  const configure = () => {
    const { bot_id: botId, bot_name: botName, leverage, config } = bot;
    const asset = instrumentName(config);
    const state = { botId, botName, strategy: config.strategy, asset, riskLevel: riskLevel(leverage), money: moneyOf(config) };
    history.push('/trading-bot/configure', state);
  };

  const isSettingUp = bot.status === 'PROVISIONING';
  return (
    <div className={styles.actions}>
      {isSettingUp && (
        <Button variant="secondary" disabled>
          Provisioning...
        </Button>
      )}
      {questionsFor(bot).map(({ question: each, label, variant }) => (
        <BotButton key={each} variant={variant} reason={reason} onClick={() => ask(each)}>
          {label}
        </BotButton>
      ))}
      <Button variant="secondary" onClick={configure}>
        Configure
      </Button>
      <BotButton variant="secondary" className={styles.delete} reason={reason} disabled={isSettingUp} onClick={() => ask('delete')}>
        Delete
      </BotButton>
      <div className={styles.reason}>
        <OfflineReason id={reason} />
      </div>
      <BotDialogs
        bot={bot}
        question={question}
        busy={busy}
        onClose={() => ask(undefined)}
        onConfirm={(asked, mode) => void confirm(asked, mode)}
      />
    </div>
  );
}

interface Offer {
  question: BotQuestion;
  label: string;
  variant: 'primary' | 'secondary';
}

const STOP: Offer = { question: 'stop', label: 'Stop', variant: 'secondary' };
const PAUSE: Offer = { question: 'pause', label: 'Pause entries', variant: 'secondary' };
const RESUME: Offer = { question: 'resume', label: 'Resume entries', variant: 'primary' };
const START: Offer = { question: 'start', label: 'Start', variant: 'primary' };
const CLOSE: Offer = { question: 'close', label: 'Close now', variant: 'secondary' };

function questionsFor({ status, paused_reason, position, closing }: Bot): Offer[] {
  const close = position && !closing ? [CLOSE] : [];
  if (status === 'RUNNING') return [paused_reason === PAUSED_BY_USER ? RESUME : PAUSE, STOP, ...close];
  if (status === 'STOPPED' || status === 'ERROR') return [START, ...close];
  return [];
}

const COMMANDS: Record<
  BotQuestion,
  { run: (owner: Parameters<typeof startBot>[0], bot: Bot, mode: StopMode) => Promise<void>; failure: string }
> = {
  start: { run: startBot, failure: 'Failed to start trading bot' },
  stop: { run: stopBot, failure: 'Failed to stop trading bot' },
  close: { run: closeNow, failure: 'Failed to update trading bot' },
  pause: { run: pauseBot, failure: 'Failed to update trading bot' },
  resume: { run: resumeBot, failure: 'Failed to update trading bot' },
  delete: { run: deleteBot, failure: 'Failed to delete trading bot' },
};

/** Describes a failed command by the service's message, or by the command's own. */
function failureOf(asked: BotQuestion, error: unknown): Outcome {
  const message = botMessage(error, COMMANDS[asked].failure);
  if (isNotConfirmed(error)) return { tone: 'failed', title: message };
  if (asked !== 'delete') return { tone: 'failed', title: message };
  return { tone: 'failed', title: 'Failed to delete the trading bot. Please try again.', detail: message };
}
