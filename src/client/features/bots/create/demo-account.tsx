import { Button } from '#client/ui/buttons/button.tsx';
import { DEMO_ACCOUNT } from '#contract/bots/demo-account.ts';
import styles from './create-form.module.css';

/** In paper mode nobody needs an account of their own. */
export const DemoAccount = ({ onUse }: { onUse: (account: typeof DEMO_ACCOUNT) => void }) => (
  <div className={styles.demo}>
    <p>Bots trade paper money here, on real price history. The demo account stands in for yours.</p>
    <Button variant="secondary" onClick={() => onUse(DEMO_ACCOUNT)}>
      Use the demo account
    </Button>
  </div>
);
