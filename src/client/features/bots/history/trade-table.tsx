import { useId, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useLast } from '#client/platform/cache/use-last.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { saveFile } from '#client/platform/save-file.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { TRADES_PER_PAGE } from '#contract/bots/trade-history.ts';
import { tradesFileName } from '#domain/bots/trades-file-name.ts';
import { botFile } from '../bot-call.ts';
import { pathOf } from '../bot-resources.ts';
import { LoadFailure } from '../load-failure.tsx';
import { SectionCard } from '../section-card.tsx';
import { type TradesView, tradesPage } from './history-resources.ts';
import { TradeRows } from './trade-rows.tsx';
import styles from './trade-table.module.css';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

const NEWEST_FIRST: TradesView = { sort: 'closed_at', order: 'desc', offset: 0 };

interface TradeTableProps {
  botId: string;
  botName: string;
  /** Closed trades as the page knows them; a change fetches the table again. */
  count?: number;
}

/** All closed trades of a bot, a page at a time, in the order of any column. The bot may be deleted. */
export function TradeTable({ botId, botName, count }: TradeTableProps) {
  const userId = useClaims().sub;
  const [view, setView] = useState(NEWEST_FIRST);
  const page = useResource(tradesPage, { userId, botId, ...view });
  const { data, isLoading } = page;
  // Keep the rows while another order or page loads.
  const shown = useLast(data);
  useRefreshOnChange(count, page.refresh);

  return (
    <SectionCard title="Trades" aside={(shown?.total ?? 0) > 0 && <SaveTrades botId={botId} botName={botName} userId={userId} />}>
      {shown && shown.total > 0 && <TradeRows trades={shown.trades} view={view} isOld={!data} onView={setView} />}
      {shown && <Pages total={shown.total} offset={view.offset} onOffset={(offset) => setView({ ...view, offset })} />}
      {shown?.total === 0 && <p className={styles.note}>No trades yet.</p>}
      {!shown && isLoading && <SkeletonRows count={1} row={outline} />}
      {!data && !isLoading && <LoadFailure of={page} text="The trades could not be loaded." />}
    </SectionCard>
  );
}

function Pages({ total, offset, onOffset }: { total: number; offset: number; onOffset: (offset: number) => void }) {
  if (total <= TRADES_PER_PAGE) return null;
  const end = Math.min(offset + TRADES_PER_PAGE, total);
  return (
    <nav className={styles.pages} aria-label="Pages of trades">
      <Button variant="secondary" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - TRADES_PER_PAGE))}>
        Previous
      </Button>
      <p className={styles.note} role="status">
        {(offset + 1).toLocaleString('en-US')} to {end.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </p>
      <Button variant="secondary" disabled={end === total} onClick={() => onOffset(offset + TRADES_PER_PAGE)}>
        Next
      </Button>
    </nav>
  );
}

/** Saves all trades as a CSV file. */
function SaveTrades({ userId, botId, botName }: { userId: string; botId: string; botName: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const reachable = useReachable();
  const reason = useId();

  const save = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      saveFile(tradesFileName(botName), await botFile(`${pathOf(botId)}/trades.csv`, userId, 'text/csv'));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className={styles.save}>
      <RefusableButton variant="secondary" busy={busy} refused={!reachable} reason={reason} onClick={() => void save()}>
        Save as CSV
      </RefusableButton>
      <RefusalReason id={reason}>{!reachable && 'You can save the file once you are online.'}</RefusalReason>
      {failure !== undefined && <FormError>{errorMessage(failure)} Nothing was saved.</FormError>}
    </div>
  );
}

const outline = <Skeleton height={200} radius="var(--radius-card)" />;
