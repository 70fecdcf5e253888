import { useState } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import type { Quotes } from '#contract/market/market.ts';
import { AlertHistory } from './alert-history.tsx';
import { AlertList, RefusedAlerts } from './alert-list.tsx';
import styles from './alerts.module.css';
import { figuresOf } from './coin-figures.ts';
import { AlertDialog } from './form/alert-dialog.tsx';
import { useAlerts } from './use-alerts.ts';

/** Firings that a coin's page lists. */
const SHOWN = 5;

export interface CoinAlertsProps {
  coin: AlertCoin;
  quote: Quotes;
}

/** The alerts of one coin, their latest firings, and a button for a new one. */
export function CoinAlerts({ coin, quote }: CoinAlertsProps) {
  const { list, history } = useAlerts();
  const [isOpen, setOpen] = useState(false);
  const alerts = list.data?.alerts.filter((alert) => alert.coin?.id === coin.id) ?? [];
  const refused = list.data?.refused.filter(({ body }) => body.kind === 'put' && body.body.alert.coin?.id === coin.id) ?? [];
  const firings = history.data?.filter((firing) => firing.coin.id === coin.id).slice(0, SHOWN) ?? [];
  return (
    <>
      <Section title="Price alerts" all={{ href: '/settings/alerts', label: 'See all price alerts' }}>
        <RefusedAlerts refused={refused} />
        <AlertList alerts={alerts} label={`Price alerts of ${coin.name}`} />
        <div className={styles.add}>
          <Button variant="secondary" icon="plus" onClick={() => setOpen(true)}>
            Set alert
          </Button>
        </div>
        {firings.length > 0 && <AlertHistory firings={firings} />}
      </Section>
      {isOpen && <AlertDialog coin={coin} {...figuresOf(quote)} onClose={() => setOpen(false)} />}
    </>
  );
}
