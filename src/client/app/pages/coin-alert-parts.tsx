import { AlertButton } from '#client/features/alerts/alert-button.tsx';
import { CoinAlerts } from '#client/features/alerts/coin-alerts.tsx';
import { FiredAlert } from '#client/features/alerts/fired-alert.tsx';
import type { AlertParts } from '#client/features/market/alerts-slot.ts';

// With the page that opens, which has the same drafts.
const ask = async (userId: string, question: string) => (await import('./conversations-page.tsx')).askInNewChat(userId, question);

/** The price alerts on a coin's page. */
export const alertParts: AlertParts = {
  button: ({ id, name, symbol, quote }) => <AlertButton key={id} coin={{ id, name, symbol }} quote={quote} />,
  list: ({ id, name, symbol, quote }) => <CoinAlerts key={id} coin={{ id, name, symbol }} quote={quote} />,
  fired: (id, coinId, onLevel) => (
    <FiredAlert key={id} id={id} coinId={coinId} onLevel={onLevel} onAsk={(userId, question) => void ask(userId, question)} />
  ),
};
