import { Icon } from '#client/ui/graphics/icon.tsx';
import type { PlanType } from '#contract/plan-types.ts';
import { planFeatures } from '#domain/plans/pricing.ts';
import styles from './plan-features.module.css';

/** Lists the features of a plan. */
export const PlanFeatures = ({ plan }: { plan: PlanType }) => (
  <ul className={styles.features}>
    {planFeatures(plan).map((feature) => (
      <li key={feature} className={styles.feature}>
        <Icon name="check" size={20} />
        {feature}
      </li>
    ))}
  </ul>
);
