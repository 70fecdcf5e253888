import { BacktestListPage } from './backtest-list-page.tsx';
import { BacktestReportPage } from './backtest-report-page.tsx';

/** `/trading-bot/backtests`: the list, or the backtest with the id in the address. */
export default function BacktestsPage({ backtestId }: { backtestId?: string }) {
  return backtestId ? <BacktestReportPage key={backtestId} id={backtestId} /> : <BacktestListPage />;
}
