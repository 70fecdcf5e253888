import { useResource } from '#client/platform/cache/use-resource.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import type { BotPosition } from '#contract/bots/bot.ts';
import { fractionsOfCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { profitByMonth } from '#domain/bots/profits.ts';
import { FiguresTable } from '../figures-table.tsx';
import { LoadFailure } from '../load-failure.tsx';
import { SectionCard } from '../section-card.tsx';
import { botProfits } from './history-resources.ts';
import styles from './profit-table.module.css';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

/** Days in the table; months cover all of them. */
const MAX_DAYS = 92;

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

interface ProfitTableProps {
  botId: string;
  position: Pick<BotPosition, 'unrealised_pnl'> | null;
  /** What the bot's equity has gained, its open position included, USD. */
  gained?: number;
  /** Closed trades as the page knows them; a change fetches the profits again. */
  count?: number;
}

interface Profit {
  profit: number;
  trades: number;
}

/** Shows a bot's profit per UTC day and month, without the open position. */
export function ProfitTable({ botId, position, gained, count }: ProfitTableProps) {
  const stored = useResource(botProfits, { userId: useClaims().sub, botId });
  const { data, isLoading } = stored;
  const { gain } = useAmounts();
  useRefreshOnChange(count, stored.refresh);
  const all = sumOf(data?.days ?? []);
  const rest = gained === undefined ? 0 : fractionsOfCents(gained - (position?.unrealised_pnl ?? 0), all.profit, all.trades);

  return (
    <SectionCard title="Profit by day and month">
      {data && data.days.length > 0 && <Periods days={data.days} />}
      {data?.days.length === 0 && <p className={styles.note}>No trades yet.</p>}
      {isLoading && <Skeleton height={120} radius="var(--radius-card)" />}
      {!data && !isLoading && <LoadFailure of={stored} text="The profits could not be loaded." />}
      <p className={styles.note}>
        Days and months are in UTC. Fees and funding are included.
        {position && ` The open position (${gain(position.unrealised_pnl)}) is not.`}
        {rest !== 0 && ` Fractions of cents add ${gain(rest)} to the bot's equity.`}
      </p>
    </SectionCard>
  );
}

const sumOf = (days: readonly Profit[]): Profit => ({
  profit: sumOfCents(days.map(({ profit }) => profit)),
  trades: days.reduce((sum, { trades }) => sum + trades, 0),
});

function Periods({ days }: { days: readonly (Profit & { day: string })[] }) {
  const { gain } = useAmounts();
  const row = (label: string, { profit, trades }: Profit) => ({ label, figures: [gain(profit), trades.toLocaleString('en-US')] });
  const months = profitByMonth(days);
  const columns = ['Profit', 'Trades'];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className={styles.scroll} tabIndex={0} aria-label="Profits, newest first">
      <FiguresTable
        caption="By month"
        columns={columns}
        rows={[...months.map((each) => row(month.format(Date.parse(each.month)), each)), row('All', sumOf(days))]}
      />
      <FiguresTable
        caption={days.length > MAX_DAYS ? `By day, the last ${MAX_DAYS} with trades` : 'By day'}
        columns={columns}
        rows={days.slice(0, MAX_DAYS).map((each) => row(day.format(Date.parse(each.day)), each))}
      />
    </section>
  );
}
