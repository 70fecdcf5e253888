import { useId } from 'react';
import type { Subscription } from '#contract/subscription.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';
import styles from './month-usage.module.css';

const day = new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' });

interface MonthUsageProps {
  subscription: Subscription;
  /** ms. */
  now: number;
}

/** How much of the month's allowances is used. */
export function MonthUsage({ subscription, now }: MonthUsageProps) {
  const plan = PLANS[subscription.planType];
  const today = new Date(now);
  const next = day.format(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1));
  return (
    <div className={styles.usage}>
      <Usage name="General questions" limit={plan.questions} left={subscription.extraQuestions} />
      <Usage name="Chart analyses" limit={plan.chartAnalyses} left={subscription.extraChatAnalysis} />
      {plan.questions !== UNLIMITED && <p className={styles.note}>Resets on {next} (UTC).</p>}
    </div>
  );
}

interface UsageProps {
  name: string;
  /** A month; UNLIMITED for no limit. */
  limit: number;
  /** Undefined on a device that was last online before the server told it. */
  left: number | undefined;
}

function Usage({ name, limit, left }: UsageProps) {
  const label = useId();
  // More may be left than the plan holds, where the plan changed within the month.
  const used = left === undefined ? undefined : Math.max(0, limit - left);
  const isLimited = limit !== UNLIMITED && used !== undefined;
  return (
    <div className={styles.row}>
      <span id={label}>{name}</span>
      <span className={styles.figure}>
        {limit === UNLIMITED ? 'Unlimited' : used === undefined ? 'Available once you are online' : `${used} of ${limit} used`}
      </span>
      {isLimited && <progress className={styles.bar} aria-labelledby={label} max={limit} value={used} />}
    </div>
  );
}
