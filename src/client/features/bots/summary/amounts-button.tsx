import { useAmountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { hideAmounts } from '#client/platform/device-choices/hide-amounts.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { EYE, EYE_OFF } from '#client/ui/graphics/drawings.ts';

/** Hides or shows the user's amounts on this device. */
export function AmountsButton() {
  const isHidden = useAmountsHidden();
  return (
    <IconButton
      label={isHidden ? 'Show amounts' : 'Hide amounts'}
      icon={isHidden ? EYE_OFF : EYE}
      onClick={() => void hideAmounts(!isHidden)}
    />
  );
}
