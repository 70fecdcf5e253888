import { type ReactNode, useState } from 'react';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Checkbox } from '#client/ui/fields/field.tsx';
import { EXTERNAL } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { BOT_LEVERAGE } from '#contract/bots/bot.ts';
import { PRODUCT } from '#domain/product.ts';
import styles from './guidelines.module.css';

interface GuidelinesProps {
  open: boolean;
  onContinue: () => void;
  /** The user closed the dialog without agreeing. */
  onLeave: () => void;
  /** A notice to show in the dialog, which covers the page. */
  children: ReactNode;
}

/** Shows the risks of trading bots. The user must agree before creating the first bot. */
export function Guidelines({ open, onContinue, onLeave, children }: GuidelinesProps) {
  const [isAgreed, agree] = useState(false);
  return (
    <Dialog
      open={open}
      title="Trading Bot Guidelines"
      onClose={onLeave}
      actions={
        <Button disabled={!isAgreed} onClick={onContinue}>
          Continue
        </Button>
      }
    >
      {children && <div className={styles.note}>{children}</div>}
      <ul className={styles.rules}>
        <li>A bot follows the trend and enters at support and resistance levels.</li>
        <li>It trades perpetual futures on BTC, with up to {BOT_LEVERAGE} times the money you give it. You can lose all of that money.</li>
        <li>Past and hypothetical results don't guarantee future returns.</li>
        <li>US persons are excluded from automated trading.</li>
        <li>Use a dedicated subaccount, and a key that can trade but not withdraw.</li>
        <li>The exchange account must be registered with {PRODUCT}'s referral code:</li>
      </ul>
      <ReferralLinks />
      <Checkbox
        data-autofocus
        label="I have read these guidelines and agree to them"
        checked={isAgreed}
        onChange={() => agree(!isAgreed)}
      />
    </Dialog>
  );
}

function ReferralLinks() {
  const urls = useServerConfig()?.bots?.referralUrls;
  if (!urls) return <p className={styles.waiting}>Connect to see the referral links.</p>;
  return (
    <ul className={styles.links}>
      {urls.map((url, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <span>Referral link {index + 1}</span>
            <span className={styles.host}>{new URL(url).host}</span>
            <Icon name={EXTERNAL} size={16} />
          </a>
        </li>
      ))}
    </ul>
  );
}
