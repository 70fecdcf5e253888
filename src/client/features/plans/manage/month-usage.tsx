import { useId } from 'react';
import type { Subscription } from '#contract/subscription.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';
import styles from './month-usage.module.css';

const day = new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' });

interface MonthUsageProps {
  subscription: Subscription;
  /** ms UTC. */
  now: number;
}

/** Shows how much of this month's limits is used. */
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
  /** Per month; UNLIMITED for none. */
  limit: number;
  /** Undefined for a profile that was stored before the server sent this figure. */
  left: number | undefined;
}

function Usage({ name, limit, left }: UsageProps) {
  const label = useId();
  // After a plan change within the month, more can be left than the plan has.
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
