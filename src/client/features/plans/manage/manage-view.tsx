import type { ReactNode } from 'react';
import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { nextLine, renewalLine } from '#domain/plans/renewal.ts';
import { PlanFeatures } from '../plan-features.tsx';
import { dollars } from '../purchase/purchase-request.ts';
import styles from './manage-view.module.css';
import { MonthUsage } from './month-usage.tsx';

interface ManageViewProps {
  subscription: Subscription;
  /** The age of the data. */
  children: ReactNode;
}

/** Shows the user's plan, its renewal, its features and this month's usage. */
export function ManageView({ subscription, children }: ManageViewProps) {
  const { name, price } = PLANS[subscription.planType];
  const next = nextLine(subscription);
  return (
    <div className={styles.page}>
      <Card className={styles.plan}>
        <div className={styles.top}>
          <h2 className={styles.name}>{name}</h2>
          <Chip tone="up">Current Plan</Chip>
        </div>
        <p className={styles.price}>
          {price === 0 ? '$0' : dollars(price)}
          <span className={styles.period}> / month</span>
        </p>
        <p className={styles.renewal}>
          <Icon name={subscription.activeAutoRenewal ? REFRESH : 'clock'} size={20} />
          {renewalLine(subscription)}
        </p>
        {next && <p className={styles.next}>{next}</p>}
        <ButtonLink href="/pricing" block>
          Change Subscription
        </ButtonLink>
        {children}
      </Card>
      <Card className={styles.part}>
        <h2 className={styles.heading}>{name} includes</h2>
        <PlanFeatures plan={subscription.planType} />
      </Card>
      <Card className={styles.part}>
        <h2 className={styles.heading}>This month</h2>
        <MonthUsage subscription={subscription} now={Date.now()} />
      </Card>
    </div>
  );
}
