import { useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { ConfirmCard } from '#client/ui/feedback/confirm-card.tsx';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { coinName, ruleText } from './alert-texts.ts';
import { alertsResource } from './alerts-resource.ts';
import { deleteAlert, putAlert } from './change-alerts.ts';
import { readFigures } from './coin-figures.ts';

const LINK = { href: '/settings/alerts', text: 'See price alerts' };

/**
 * Offers to set an alert, and shows it once it is set, with Undo.
 * @param id of the alert: the one offer sets one alert, however often and on how many devices it is confirmed
 */
export function AlertOffer({ id, alert }: { id: string; alert: AlertForm }) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const { data } = useResource(alertsResource, { userId });
  const reachable = useReachable();
  const known = data?.alerts.find((each) => each.id === id);
  const refused = data?.refused.find(({ body }) => body.id === id && body.kind === 'put');
  const isDone = known !== undefined && ruleText(known) === ruleText(alert);

  async function press() {
    if (isDone) return deleteAlert(db, userId, known);
    const { price, changes } = await readFigures(db, alert.coin?.id);
    const seen = alert.kind === 'percent' ? changes?.[alert.period] : price;
    return putAlert(db, userId, { id, alert, seen: seen ?? null });
  }

  function state(): string | undefined {
    if (isDone) return known.isUnsent && !reachable ? 'Saved. The alert is set once you are online.' : 'Alert set.';
    if (refused) return `Not set. ${refused.reason ?? ''}`.trim();
    return known && `This question has set another alert: ${ruleText(known)}.`;
  }

  return (
    <ConfirmCard
      label="Price alert"
      state={state()}
      isDone={isDone}
      button={isDone ? 'Undo' : known ? 'Change alert' : 'Set alert'}
      onPress={() => void press()}
      link={LINK}
    >
      {alert.coin ? <bdi>{coinName(alert)}</bdi> : 'Every coin of the watchlist'}: {ruleText(alert)}
    </ConfirmCard>
  );
}
