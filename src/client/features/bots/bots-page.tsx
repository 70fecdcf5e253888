import { useLocation } from '#client/platform/router/history.ts';
import ConfigurePage from './configure/configure-page.tsx';
import TradingBotPage from './list/trading-bot-page.tsx';
import BotPage from './report/bot-page.tsx';

/** The addresses below `/trading-bot`, in one piece of code: whoever has a bot goes to and fro between them. */
export default function BotsPage({ botId }: { botId?: string }) {
  const { pathname } = useLocation();
  if (botId) return <BotPage key={botId} botId={botId} />;
  return /^\/trading-bot\/configure\/?$/.test(pathname) ? <ConfigurePage /> : <TradingBotPage />;
}
