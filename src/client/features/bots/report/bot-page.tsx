import { useId, useState } from 'react';
import { isMissing } from '#client/platform/api/errors.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, history } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { usePolledResource } from '#client/platform/use-polled-resource.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { BotReport } from '#contract/bots/bot.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';
import type { Clock } from '#domain/clock.ts';
import { botMessage } from '../bot-call.ts';
import { botReport } from '../bot-resources.ts';
import { BotChart } from '../chart/bot-chart.tsx';
import { Comparison } from '../comparison/comparison.tsx';
import { WhyNoTrade } from '../decisions/why-no-trade.tsx';
import { DeletedBotReport } from '../history/deleted-bot.tsx';
import { deletedBots } from '../history/history-resources.ts';
import { ProfitTable } from '../history/profit-table.tsx';
import { TradeTable } from '../history/trade-table.tsx';
import { BotActions } from '../manage/bot-actions.tsx';
import { MoneyCard } from '../money-card.tsx';
import { AmountsButton } from '../summary/amounts-button.tsx';
import { BotChips, BotEquity, BotTrouble, LastExchange, PricesNote } from '../summary/bot-summary.tsx';
import { pollInterval } from '../use-bots.ts';
import styles from './bot-page.module.css';
import { BotSettings } from './bot-settings.tsx';
import { EquityCurve } from './equity-curve.tsx';
import { EventJournal } from './event-journal.tsx';
import { PerformanceTable } from './performance-table.tsx';
import { PositionCard } from './position-card.tsx';

interface BotPageProps {
  botId?: string;
  clock?: Clock;
}

/** `/trading-bot/bots/{botId}`: one bot in full, at first from the device. */
export default function BotPage({ botId = '', clock = Date.now }: BotPageProps) {
  const userId = useClaims().sub;
  const report = usePolledResource(botReport, { userId, botId }, (data) => pollInterval(data && [data.bot]));
  const [outcome, setOutcome] = useState<Outcome>();
  const offline = !useReachable();
  const { data, error, refresh } = report;
  const isGone = isMissing(error);
  const hasReport = data !== undefined && !isGone;
  const deletedList = useResource(deletedBots, hasReport ? null : { userId });
  const deleted = hasReport ? undefined : deletedList.data?.find(({ bot_id }) => bot_id === botId);
  const isLoading = !deleted && ((report.isLoading && !isGone) || (!hasReport && deletedList.isLoading));
  const reason = `${botMessage(error, 'Failed to fetch trading bot.')} The bot is not affected.`;

  return (
    <>
      <PageHeader
        title={(deleted ?? data?.bot)?.bot_name ?? 'Trading Bot'}
        onBack={() => goBack('/trading-bot')}
        action={<AmountsButton />}
      />
      <div className={styles.page}>
        {outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />}
        {hasReport && (
          <>
            <SavedStamp savedAt={report.savedAt} origin={report.origin} offline={offline} clock={clock} />
            {error !== undefined && !offline && (
              <OutcomeNote quiet outcome={{ tone: 'pending', title: 'This bot could not be refreshed', detail: reason }} />
            )}
            <Report
              report={data}
              now={clock()}
              asOf={report.savedAt ?? clock()}
              onOutcome={setOutcome}
              onChanged={() => void refresh()}
              onDeleted={() => history.replace('/trading-bot', 'deleted')}
            />
          </>
        )}
        {isLoading && <SkeletonRows count={1} row={outline} />}
        {deleted && <DeletedBotReport bot={deleted} />}
        {!hasReport && !deleted && !isLoading && (
          <ErrorState
            title={isGone ? 'This bot no longer exists' : 'This bot could not be loaded'}
            detail={isGone ? undefined : reason}
            action={
              isGone ? (
                <ButtonLink href="/trading-bot">Back to Trading Bot</ButtonLink>
              ) : (
                <Button onClick={() => void refresh()}>Try again</Button>
              )
            }
          />
        )}
      </div>
    </>
  );
}

interface ReportProps {
  report: BotReport;
  now: number;
  asOf: number;
  onOutcome: (outcome: Outcome | undefined) => void;
  onChanged: () => void;
  onDeleted: () => void;
}

function Report({ report: { bot, equity, events, decisions, live, backtest }, now, asOf, ...actions }: ReportProps) {
  const heading = useId();
  return (
    <>
      <MoneyCard money={moneyOf(bot.config)} className={styles.card} role="region" aria-labelledby={heading}>
        <h2 id={heading} className="sr-only">
          Now
        </h2>
        <BotChips bot={bot} />
        <BotEquity bot={bot} />
        <EquityCurve points={equity} start={bot.position_size} />
        <BotTrouble bot={bot} asOf={asOf} />
        <PricesNote of={bot.config} />
        <LastExchange bot={bot} now={now} />
        <BotActions bot={bot} {...actions} />
      </MoneyCard>
      <BotChart bot={bot} count={live.trades} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <PositionCard bot={bot} />
          {decisions && <WhyNoTrade decisions={decisions} />}
          <ProfitTable botId={bot.bot_id} position={bot.position} gained={bot.equity - bot.position_size} count={live.trades} />
          <BotSettings bot={bot} onOutcome={actions.onOutcome} onChanged={actions.onChanged} />
        </div>
        <div className={styles.column}>
          <PerformanceTable live={live} backtest={backtest} money={moneyOf(bot.config)} interval={bot.config.interval} />
          <EventJournal events={events} />
        </div>
      </div>
      <Comparison bot={bot} count={live.trades} />
      <TradeTable botId={bot.bot_id} botName={bot.bot_name} count={live.trades} />
    </>
  );
}

const outline = (
  <div className={styles.outline}>
    <Skeleton width={160} height={24} />
    <Skeleton width={200} height={36} />
    <Skeleton height={180} radius="var(--radius-card)" />
    <Skeleton height={44} />
    <Skeleton height={200} radius="var(--radius-card)" />
  </div>
);
