import { useLocation } from '#client/platform/router/history.ts';
import BotPage from './bot-page.tsx';
import ConfigurePage from './configure-page.tsx';
import TradingBotPage from './trading-bot-page.tsx';

/** The addresses below `/trading-bot`, in one piece of code: whoever has a bot goes to and fro between them. */
export default function BotsPage({ botId }: { botId?: string }) {
  const { pathname } = useLocation();
  if (botId) return <BotPage key={botId} botId={botId} />;
  return /^\/trading-bot\/configure\/?$/.test(pathname) ? <ConfigurePage /> : <TradingBotPage />;
}
