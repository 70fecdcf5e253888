import { Chip } from '#client/ui/labels/chip.tsx';
import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { dollars } from '../purchase/purchase-request.ts';
import styles from './plan-cards.module.css';

interface PlanCardsProps {
  current: PlanType;
  selected: PlanType;
  onSelect: (plan: PlanType) => void;
}

/** Selects one of the plans to view. */
export const PlanCards = ({ current, selected, onSelect }: PlanCardsProps) => (
  <fieldset className={styles.cards}>
    <legend className="sr-only">Plans</legend>
    {PLAN_TYPES.map((plan) => (
      <label key={plan} className={styles.card}>
        <input className={styles.radio} type="radio" name="plan" value={plan} checked={plan === selected} onChange={() => onSelect(plan)} />
        <span className={styles.top}>
          <span className={styles.name}>{PLANS[plan].name}</span>
          <span className={styles.mark} aria-hidden="true" />
        </span>
        <span className={styles.price}>
          {PLANS[plan].price === 0 ? '$0' : dollars(PLANS[plan].price)}
          <span className={styles.period}> / month</span>
        </span>
        <span className={styles.badge}>
          {plan === current ? <Chip tone="up">Current Plan</Chip> : plan === 'PRO' && <Chip>Most Popular</Chip>}
        </span>
      </label>
    ))}
  </fieldset>
);
