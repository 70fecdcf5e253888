import { type ReactNode, useEffect, useState } from 'react';
import { NetworkError } from '#client/platform/api/errors.ts';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, history, useLocation } from '#client/platform/router/history.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { User } from '#contract/account/user.ts';
import type { BotForm } from '#contract/bots/bot.ts';
import { type BotAccess, botAccess } from '#domain/bots/bot-access.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import type { Clock } from '#domain/clock.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { botMessage } from '../bot-call.ts';
import { CreateView } from '../create/create-view.tsx';
import { DeletedBots } from '../history/deleted-bots.tsx';
import { DELETED } from '../manage/bot-actions.tsx';
import { createBot } from '../manage/bot-commands.ts';
import { clearAmount, useSavedAmount } from '../saved-amount.ts';
import { AmountsButton } from '../summary/amounts-button.tsx';
import { type BotsState, useBots } from '../use-bots.ts';
import { BotCard } from './bot-card.tsx';
import { Guidelines } from './guidelines.tsx';
import { Restricted } from './restricted.tsx';
import styles from './trading-bot-page.module.css';

/** `/trading-bot`. The route's guard has loaded the profile. */
export default function TradingBotPage({ clock = Date.now }: { clock?: Clock }) {
  const { data: user } = useProfile();
  return (
    <>
      <PageHeader title="Trading Bot" onBack={() => goBack()} action={<AmountsButton />} />
      {user && <TradingBots user={user} clock={clock} />}
    </>
  );
}

function TradingBots({ user, clock }: { user: User; clock: Clock }) {
  const bots = useBots(user.id);
  const access = botAccess(user, clock());
  const { state } = useLocation();
  const [outcome, setOutcome] = useState<Outcome | undefined>(state === 'deleted' ? DELETED : undefined);
  const [isAgreed, agree] = useState(false);
  const config = useServerConfig()?.bots;
  const hasBots = (bots.data?.length ?? 0) > 0;
  const offline = !useReachable();
  const failed = bots.error !== undefined && !bots.isEmpty;
  const mustAgree = access.allowed && !isAgreed && bots.hasNoStoredBot && !failed;
  const note = outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />;

  // Clears the state, so that a reload does not repeat the notice.
  useEffect(() => {
    if (state === 'deleted') history.replace('/trading-bot');
  }, [state]);

  const create = async (form: BotForm & { confirm_live?: string }, key: string) => {
    setOutcome(undefined);
    const db = userDb(user.id);
    try {
      await createBot({ userId: user.id, db }, form, key);
    } catch (error) {
      // Without an answer, the bot may exist.
      if (error instanceof NetworkError) bots.refreshAfterCreation();
      throw error;
    }
    bots.refreshAfterCreation();
    setOutcome({ tone: 'done', title: 'Trading bot created successfully!' });
    await clearAmount(db);
  };

  return (
    <div className={styles.page}>
      {!access.allowed && <Restricted message={access.message} />}
      {!mustAgree && note}
      {(access.allowed || hasBots) && (
        <div className={styles.tools}>
          <SavedStamp savedAt={bots.savedAt} origin={bots.origin} offline={offline} clock={clock} />
          {!hasBots && (
            <div className={styles.chips}>{config && <MoneyChips money={moneyOf(config)} names={MONEY_NAMES} speed={config.speed} />}</div>
          )}
          {access.allowed && <TimeLeft access={access} />}
        </div>
      )}
      <Bots bots={bots} offline={offline} failed={failed} mayCreate={access.allowed} now={clock()} onOutcome={setOutcome}>
        <Create userId={user.id} market={config} onCreate={create} />
      </Bots>
      <DeletedBots count={bots.data?.length} />
      {access.allowed && (
        <ButtonLink variant="secondary" href="/trading-bot/backtests">
          Backtests
        </ButtonLink>
      )}
      <Guidelines open={mustAgree} onContinue={() => agree(true)} onLeave={() => goBack()}>
        {note}
      </Guidelines>
    </div>
  );
}

interface BotsProps {
  bots: BotsState;
  offline: boolean;
  failed: boolean;
  mayCreate: boolean;
  now: number;
  onOutcome: (outcome: Outcome | undefined) => void;
  /** Shown to a user without bots. */
  children: ReactNode;
}

/** Lists the bots. Offers to create one only after the service has confirmed that there is none. */
function Bots({ bots, offline, failed, mayCreate, now, onOutcome, children }: BotsProps) {
  const reason = botMessage(bots.error, 'Failed to fetch trading bots.');
  if (bots.data && bots.data.length > 0) {
    return (
      <>
        {failed && !offline && (
          <OutcomeNote
            quiet
            outcome={{ tone: 'pending', title: 'Your bots could not be refreshed', detail: `${reason} Your bots keep running.` }}
          />
        )}
        <ul className={styles.list} aria-label="Trading bots">
          {bots.data.map((bot) => (
            <li key={bot.bot_id}>
              <BotCard bot={bot} now={now} asOf={bots.savedAt ?? now} onOutcome={onOutcome} onChanged={() => void bots.refresh()} />
            </li>
          ))}
        </ul>
      </>
    );
  }
  if (!mayCreate) return null;
  if (bots.isEmpty) return children;
  if (!failed) return <SkeletonRows count={2} row={outline} />;
  return (
    <ErrorState
      title="Your bots could not be loaded"
      detail={`${reason} Your bots keep running. You can create one once the server answers.`}
      action={
        <Button busy={bots.isValidating} onClick={() => void bots.refresh()}>
          Try again
        </Button>
      }
    />
  );
}

const outline = (
  <span className={styles.outline}>
    <Skeleton width="48%" height={24} />
    <Skeleton width={96} height={24} />
    <Skeleton width="60%" height={32} />
    <Skeleton height={44} />
  </span>
);

/** Waits for the saved amount, because the form takes its default values only once. */
function Create({ userId, market, onCreate }: { userId: string } & Omit<Parameters<typeof CreateView>[0], 'amount'>) {
  const amount = useSavedAmount(userDb(userId));
  return amount === undefined ? null : <CreateView market={market} amount={amount} onCreate={onCreate} />;
}

const PERIODS = { new_user: 'Free trial', grace_period: 'Grace period' } as const;

function TimeLeft({ access }: { access: Extract<BotAccess, { allowed: true }> }) {
  const { reason, daysRemaining } = access;
  if (reason === 'premium' || daysRemaining === undefined) return null;
  return (
    <p className={styles.left}>
      {PERIODS[reason]}: {formatCount(daysRemaining, 'day')} left
    </p>
  );
}
