import type { MouseEvent } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { isPlainClick } from '#client/platform/router/is-plain-click.ts';
import { ButtonLink } from '#client/ui/buttons/button.tsx';
import type { PlanType } from '#contract/plan-types.ts';
import { type PricingButton, pricingButtons } from '#domain/plans/pricing.ts';
import { MoneyButton } from '../purchase/money-button.tsx';
import { dollars } from '../purchase/purchase-request.ts';
import { goToAnchor } from './anchor-history.ts';
import styles from './plan-actions.module.css';

const labelOf = ({ label, price }: PricingButton) => (price === undefined ? label : `${label} ${dollars(price)}`);

interface PlanActionsProps {
  current: PlanType;
  selected: PlanType;
  /** The id of the `OfflineReason` below. */
  reason: string;
}

/** Buttons to change to the selected plan. They are links, so that each action has an address. */
export function PlanActions({ current, selected, reason }: PlanActionsProps) {
  const reachable = useReachable();
  const buttons = pricingButtons(current, selected);
  if (buttons.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {buttons.map((button, index) => {
        const variant = index === 0 && button.label !== 'Downgrade' ? 'primary' : 'secondary';
        if (!reachable) {
          return (
            <MoneyButton key={button.label} block variant={variant} reason={reason}>
              {labelOf(button)}
            </MoneyButton>
          );
        }
        const follow = (event: MouseEvent) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          event.stopPropagation(); // otherwise the router follows the link, too
          goToAnchor(button.anchor);
        };
        return (
          <ButtonLink key={button.label} block variant={variant} href={`/pricing${button.anchor}`} onClick={follow}>
            {labelOf(button)}
          </ButtonLink>
        );
      })}
    </div>
  );
}
