import { useId } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { nextLine, renewalLine } from '#domain/plans/renewal.ts';
import { MoneyButton, OfflineReason } from './money-button.tsx';
import { dollars, type PurchaseRequest, productOf } from './purchase-request.ts';
import styles from './test-store-sheet.module.css';
import type { PurchaseState } from './use-purchase.ts';

interface SheetProps {
  request: PurchaseRequest;
  subscription: Subscription;
  purchase: PurchaseState;
  onClose: () => void;
}

/** Replaces the native app and its store in a browser without them, and is marked as a test. */
export const TestStoreSheet = (props: SheetProps) =>
  props.request.kind === 'buy' ? <Buy {...props} request={props.request} /> : <Settings {...props} />;

const Mark = () => (
  <p>
    <Chip tone="warn">Test store · no money moves</Chip>
  </p>
);

function Buy({ request, purchase, onClose }: SheetProps & { request: PurchaseRequest & { kind: 'buy' } }) {
  const reason = useId();
  const { plan, productId, later, terms } = request;
  const { busy, outcome, retry } = purchase;
  const pay = () => (retry ? retry() : purchase.pay(productId, 'paid'));
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${PLANS[plan].name} plan`}
      actions={
        <>
          <MoneyButton variant="secondary" reason={reason} busy={busy !== undefined} onClick={() => purchase.pay(productId, 'declined')}>
            Decline
          </MoneyButton>
          <MoneyButton reason={reason} busy={busy !== undefined} onClick={pay} data-autofocus>
            {retry ? 'Try again' : later ? 'Confirm' : `Pay ${dollars(PLANS[plan].price)}`}
          </MoneyButton>
        </>
      }
    >
      <div className={styles.body}>
        <Mark />
        <p>{terms}</p>
        <p className={styles.hint}>Test purchase: choose an outcome.</p>
        {outcome && <OutcomeNote outcome={outcome} />}
        <OfflineReason id={reason} />
      </div>
    </Dialog>
  );
}

function Settings({ request, subscription, purchase, onClose }: SheetProps) {
  const reason = useId();
  const { busy, outcome, change } = purchase;
  const { planType, activeAutoRenewal, nextPlan } = subscription;
  const keep = () => {
    const product = productOf(planType);
    if (product) purchase.pay(product, 'paid');
  };
  if (request.kind === 'nothing') {
    return (
      <Dialog open onClose={onClose} title="Nothing to cancel" actions={<Button onClick={onClose}>Close</Button>}>
        <p>You are on the Free plan. It is free and never expires.</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${PLANS[planType].name} subscription`}
      actions={
        <>
          <Button variant="secondary" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          {activeAutoRenewal && (
            <MoneyButton variant="danger" reason={reason} busy={busy === 'cancel'} onClick={() => change('cancel')}>
              Cancel renewal
            </MoneyButton>
          )}
        </>
      }
    >
      <div className={styles.body}>
        <Mark />
        <p>{renewalLine(subscription)}</p>
        <p>{nextLine(subscription) ?? `After a cancellation you keep ${PLANS[planType].name} until then, and nothing more is charged.`}</p>
        {outcome && <OutcomeNote outcome={outcome} />}
        <OfflineReason id={reason} />
        <section className={styles.tryOut} aria-labelledby={`${reason}-try`}>
          <h3 id={`${reason}-try`} className={styles.heading}>
            Try what the store can do
          </h3>
          {!activeAutoRenewal && (
            <MoneyButton variant="secondary" block reason={reason} busy={busy === 'resume'} onClick={() => change('resume')}>
              Resume renewal
            </MoneyButton>
          )}
          {activeAutoRenewal && nextPlan && (
            <MoneyButton variant="secondary" block reason={reason} busy={busy === 'pay'} onClick={keep}>
              Keep {PLANS[planType].name}
            </MoneyButton>
          )}
          {activeAutoRenewal && (
            <MoneyButton variant="secondary" block reason={reason} busy={busy === 'renew'} onClick={() => change('renew')}>
              Renew now
            </MoneyButton>
          )}
          <MoneyButton variant="secondary" block reason={reason} busy={busy === 'expire'} onClick={() => change('expire')}>
            Expire now
          </MoneyButton>
          <p className={styles.hint}>Renewing ends the current period and pays for the next one. Expiring ends it without a payment.</p>
        </section>
      </div>
    </Dialog>
  );
}
