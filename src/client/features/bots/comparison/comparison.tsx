import { useResource } from '#client/platform/cache/use-resource.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import type { BotComparison } from '#contract/bots/bot-comparison.ts';
import { isBeyondBand } from '#domain/bots/compare-trades.ts';
import { formatDays } from '../backtest/settings-text.ts';
import { botMessage } from '../bot-call.ts';
import { FiguresTable } from '../figures-table.tsx';
import { botComparison } from '../history/history-resources.ts';
import { useRefreshOnChange } from '../history/use-refresh-on-change.ts';
import { LoadFailure } from '../load-failure.tsx';
import { SectionCard } from '../section-card.tsx';
import { Warning } from '../summary/bot-summary.tsx';
import { causeName } from './causes.ts';
import { ComparedTrades } from './compared-trades.tsx';
import styles from './comparison.module.css';

interface ComparisonProps {
  bot: Pick<Bot, 'bot_id' | 'user_id' | 'config' | 'position_size' | 'leverage' | 'max_drawdown'>;
  /** Closed trades as the page knows them; a change fetches the comparison again. */
  count: number;
}

/** Compares a bot's closed trades with a backtest of the same days, and says where the difference comes from. */
export function Comparison({ bot, count }: ComparisonProps) {
  const { bot_id: botId, user_id: userId, position_size, leverage, max_drawdown } = bot;
  const stored = useResource(botComparison, count === 0 ? null : { userId, botId });
  const { data, error, isLoading } = stored;
  const offline = !useReachable();
  useRefreshOnChange([count, position_size, leverage, max_drawdown].join(' '), stored.refresh);

  return (
    <SectionCard title="Compared with the backtest of the same days">
      {count === 0 && <p className={styles.note}>The comparison starts when the first trade has closed.</p>}
      {data && error !== undefined && !offline && (
        <OutcomeNote
          quiet
          outcome={{
            tone: 'pending',
            title: 'The comparison could not be refreshed',
            detail: botMessage(error, 'The backtest did not finish.'),
          }}
        />
      )}
      {data && <Results comparison={data} config={bot.config} />}
      {isLoading && <SkeletonRows count={1} row={outline} />}
      {count > 0 && !data && !isLoading && <LoadFailure of={stored} text="The comparison could not be loaded." />}
    </SectionCard>
  );
}

function Results({ comparison, config }: { comparison: BotComparison } & Pick<Bot, 'config'>) {
  const { market, interval, from, to, capital, leverage, max_drawdown, causes } = comparison;
  const { amount: usd, gain } = useAmounts();
  const row = (label: string, profit: number, trades: number) => ({ label, figures: [gain(profit), trades.toLocaleString('en-US')] });
  return (
    <>
      <Verdict comparison={comparison} />
      <div className={styles.columns}>
        <FiguresTable
          caption="Results"
          columns={['Profit', 'Trades']}
          rows={[
            row('This bot', comparison.bot_profit, comparison.bot_trades),
            row('Backtest', comparison.backtest_profit, comparison.backtest_trades),
            row('Difference', comparison.difference, comparison.bot_trades - comparison.backtest_trades),
          ]}
        />
        {causes.length > 0 && (
          <FiguresTable
            caption="Where the difference comes from"
            columns={['Amount', 'Trades']}
            rows={causes.map(({ cause, amount, trades }) => row(causeName(cause), amount, trades))}
          />
        )}
      </div>
      <ComparedTrades comparison={comparison} config={config} />
      <p className={styles.note}>
        The backtest traded the bot's own {interval} candles ({market}), {formatDays(from, to)}, with {usd(capital)}, at most {leverage}x
        and a loss limit of {max_drawdown}%. Fees and funding are included, open positions are not.
      </p>
    </>
  );
}

/** Says whether the difference is larger than one trade's risk. */
function Verdict({ comparison }: { comparison: BotComparison }) {
  const { difference, band, causes } = comparison;
  const texts = useAmounts();
  const amount = texts.amount(Math.abs(difference));
  const side = difference < 0 ? 'less' : 'more';
  if (isBeyondBand(comparison))
    return (
      <Warning
        text={`This bot made ${amount} ${side} than its backtest. That is more than one trade may lose at its stop (${texts.amount(band)}).`}
      />
    );
  if (causes.length === 0) return <p className={styles.note}>The bot and its backtest made the same profit on each trade.</p>;
  return (
    <p className={styles.note}>
      This bot made {amount} {side} than its backtest. Up to {texts.amount(band)}, what one trade may lose at its stop, is usual.
    </p>
  );
}

const outline = <Skeleton height={160} radius="var(--radius-card)" />;
