import type { ComponentProps } from 'react';
import { SizeField } from './size-field.tsx';

/** The field for the loss at which a bot stops. */
export const LossLimitField = (field: Omit<ComponentProps<typeof SizeField>, 'label' | 'hint' | 'unit'>) => (
  <SizeField
    label="Loss Limit"
    unit="%"
    hint="If the bot loses this much of its highest value, it closes its position and stops."
    {...field}
  />
);
