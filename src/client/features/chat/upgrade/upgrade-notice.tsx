import { useState } from 'react';
import { useProfile } from '#client/platform/session/profile.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { SPARKLE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { PLANS } from '#domain/plans/plans.ts';
import styles from './upgrade-notice.module.css';

/** localStorage key: id of the user who closed the notice on this device. */
const CLOSED_BY = 'free-plan-notice-closed';

interface FreePlan {
  /** Show the full notice. */
  notice: boolean;
  /** The notice was closed; show a floating link instead. */
  floating: boolean;
  close: () => void;
}

/** Returns which Free-plan hint to show; none while the plan loads. */
export function useFreePlan(): FreePlan {
  const { data: user } = useProfile();
  const [closed, setClosed] = useState(() => localStorage.getItem(CLOSED_BY));
  const free = user?.userSubscription.planType === 'FREE';
  return {
    notice: free && closed !== user.id,
    floating: free && closed === user.id,
    close: () => {
      if (!user) return;
      localStorage.setItem(CLOSED_BY, user.id);
      setClosed(user.id);
    },
  };
}

/** The Free-plan notice. */
export const UpgradeNotice = ({ onClose }: { onClose: () => void }) => (
  <aside className={styles.notice} aria-label="Free plan">
    <p>
      Free plan: You don't have access to chart analysis & general questions. Upgrade to Premium plan for unlimited chart analysis.{' '}
      <a className={styles.link} href="/pricing">
        Upgrade Now
      </a>
      <span className={styles.included}>
        Included each month: {PLANS.FREE.questions} questions and {PLANS.FREE.chartAnalyses} chart analyses.
      </span>
    </p>
    <IconButton label="Close notice" icon="close" onClick={onClose} />
  </aside>
);

export const UpgradeLink = () => (
  <a className={styles.floating} href="/pricing">
    <Icon name={SPARKLE} size={20} />
    Upgrade Now
  </a>
);
