import { useId } from 'react';
import { Card } from '#client/ui/layout/card.tsx';
import { PRODUCT } from '#domain/product.ts';
import { MoneyButton } from './money-button.tsx';
import styles from './store-note.module.css';

/** Shown while the purchase is open in the native app's store. */
export function ShellNote({ onAskAgain }: { onAskAgain: () => void }) {
  const reason = useId();
  return (
    <Card className={styles.note} role="status">
      <h2 className={styles.title}>Continue in your app store</h2>
      <p id={reason}>Your plan changes here as soon as the store confirms. Nothing changes if you close it.</p>
      <MoneyButton variant="secondary" reason={reason} onClick={onAskAgain}>
        Open the store again
      </MoneyButton>
    </Card>
  );
}

/** Says how to buy in a browser without a native app or a test store. */
export const NoStoreNote = ({ email }: { email: string }) => (
  <Card className={styles.note} role="status">
    <h2 className={styles.title}>Plans are bought in the app</h2>
    <p>
      Subscriptions are paid and canceled in your phone's app store. Open {PRODUCT} there, log in as {email} and choose a plan. It applies
      here, too. Nothing was charged.
    </p>
  </Card>
);
