import { Button } from '#client/ui/buttons/button.tsx';
import { DEMO_ACCOUNT } from '#contract/bots/demo-account.ts';
import type { ExchangeName } from '#contract/bots/exchange-names.ts';
import { exchangeName } from '../exchange-name.ts';
import styles from './play-money-note.module.css';

/** Offers the built-in demo account, so that paper trading needs no exchange account. */
export const DemoAccount = ({ onUse }: { onUse: (account: typeof DEMO_ACCOUNT) => void }) => (
  <div className={styles.note}>
    <p>Bots trade paper money here, on real price history. Uses a demo exchange account.</p>
    <Button variant="secondary" onClick={() => onUse(DEMO_ACCOUNT)}>
      Use the demo account
    </Button>
  </div>
);

/** Tells the user which keys work while bots trade on the exchange's test network. */
export const TestNetworkNote = (market: { exchange: ExchangeName }) => (
  <p className={styles.note}>
    Bots trade play money here, on {exchangeName(market)}'s test network. Create the key there: keys of the real exchange don't work.
  </p>
);
