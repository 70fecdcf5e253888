import { useEffect, useId, useState } from 'react';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import type { User } from '#contract/account/user.ts';
import type { PlanType } from '#contract/plan-types.ts';
import { PRODUCTS } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { defaultSelection } from '#domain/plans/pricing.ts';
import { PlanFeatures } from '../plan-features.tsx';
import { MoneyButton, OfflineReason } from '../purchase/money-button.tsx';
import { askShell, hasShell } from '../purchase/purchase-channel.ts';
import { anchorOf, requestOf } from '../purchase/purchase-request.ts';
import { NoStoreNote, ShellNote } from '../purchase/store-note.tsx';
import { TestStoreSheet } from '../purchase/test-store-sheet.tsx';
import { usePurchase } from '../purchase/use-purchase.ts';
import { askShellAgain, claimShellRequest, leaveAnchor } from './anchor-history.ts';
import { PlanActions } from './plan-actions.tsx';
import { PlanCards } from './plan-cards.tsx';
import { PlanTable } from './plan-table.tsx';
import styles from './pricing-view.module.css';

interface PricingViewProps {
  user: User;
  /** Fetches the user again. */
  refresh: () => Promise<unknown>;
}

/** Shows the plans and changes between them. The hash of the address starts a purchase. */
export function PricingView({ user, refresh }: PricingViewProps) {
  const { userSubscription: subscription } = user;
  const current = subscription.planType;
  const [chosen, setChosen] = useState<PlanType>();
  const selected = chosen ?? defaultSelection(current);
  const location = useLocation();
  const store = useServerConfig()?.store;
  const purchase = usePurchase(user, refresh, (message) => {
    if (message) setChosen(PRODUCTS[message.productId]);
    leaveAnchor();
  });
  const [heading, reason] = [useId(), useId()];

  const anchor = anchorOf(location.hash);
  const request = anchor && requestOf(anchor, subscription);
  const shell = hasShell();
  const sheet = request && !shell && (store === 'test' || request.kind === 'nothing');

  const { outcome, retry, dismiss } = purchase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: clears the outcome when another request opens
  useEffect(() => {
    if (anchor && !retry) dismiss();
  }, [anchor]);

  const { appUserId } = subscription;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends one request per history entry, identified by `location`
  useEffect(() => {
    if (!anchor || !shell || !appUserId || !claimShellRequest()) return;
    askShell({ type: 'purchase-request', anchor, productId: request?.kind === 'buy' ? request.productId : null, appUserId });
  }, [location, shell, appUserId]);

  const confirming = purchase.busy === 'confirm';
  return (
    <div className={styles.page}>
      {outcome && !sheet && (
        <OutcomeNote
          outcome={outcome}
          action={
            retry && (
              <MoneyButton variant="secondary" reason={reason} busy={confirming} onClick={retry}>
                Try again
              </MoneyButton>
            )
          }
          onClose={retry ? undefined : dismiss}
        />
      )}
      {confirming && !sheet && <p role="status">Confirming your purchase…</p>}
      {request && shell && <ShellNote onAskAgain={askShellAgain} />}
      {request && !shell && !sheet && store === 'none' && <NoStoreNote email={user.email} />}
      <PlanCards current={current} selected={selected} onSelect={setChosen} />
      <Card className={styles.chosen} role="region" aria-labelledby={heading}>
        <h2 id={heading}>{PLANS[selected].name} includes</h2>
        <PlanFeatures plan={selected} />
        <PlanActions current={current} selected={selected} reason={reason} />
        <OfflineReason id={reason} />
      </Card>
      <PlanTable selected={selected} />
      <div className={styles.foot}>
        <p>Billed monthly by your app store. A subscription renews until it is canceled 24 hours before the period ends.</p>
        <MoneyButton variant="ghost" reason={reason} busy={purchase.busy === 'restore'} onClick={purchase.restore}>
          Restore purchases
        </MoneyButton>
      </div>
      {sheet && <TestStoreSheet request={request} subscription={subscription} purchase={purchase} onClose={leaveAnchor} />}
    </div>
  );
}
