import { useLocation } from '#client/platform/router/history.ts';
import BacktestsPage from './backtest/backtests-page.tsx';
import ConfigurePage from './configure/configure-page.tsx';
import TradingBotPage from './list/trading-bot-page.tsx';
import BotPage from './report/bot-page.tsx';

/** Routes below `/trading-bot`. One chunk serves them all, because bot owners switch between them often. */
export default function BotsPage({ botId, backtestId }: { botId?: string; backtestId?: string }) {
  const { pathname } = useLocation();
  if (botId) return <BotPage key={botId} botId={botId} />;
  if (/^\/trading-bot\/backtests(\/|$)/.test(pathname)) return <BacktestsPage {...(backtestId && { backtestId })} />;
  return /^\/trading-bot\/configure\/?$/.test(pathname) ? <ConfigurePage /> : <TradingBotPage />;
}
