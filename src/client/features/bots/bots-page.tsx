import { useLocation } from '../../platform/router/history';
import BotPage from './bot-page';
import ConfigurePage from './configure-page';
import TradingBotPage from './trading-bot-page';

/** The addresses below `/trading-bot`, in one piece of code: whoever has a bot goes to and fro between them. */
export default function BotsPage({ botId }: { botId?: string }) {
  const { pathname } = useLocation();
  if (botId) return <BotPage key={botId} botId={botId} />;
  return /^\/trading-bot\/configure\/?$/.test(pathname) ? <ConfigurePage /> : <TradingBotPage />;
}
