import type { ComponentProps } from 'react';
import { PasswordField } from '#client/ui/fields/field.tsx';

type Props = Omit<ComponentProps<typeof PasswordField>, 'what' | 'label' | 'autoComplete' | 'hint'>;

/** The passphrase of an API key, at exchanges where its owner chooses one. */
export const PassphraseField = (props: Props) => (
  <PasswordField
    what="passphrase"
    label="Passphrase"
    autoComplete="new-password"
    hint="You chose it when you created the key. It is stored encrypted, like the secret."
    {...props}
  />
);
