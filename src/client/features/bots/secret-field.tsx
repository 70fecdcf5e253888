import { type ComponentProps, useState } from 'react';
import { IconButton } from '../../ui/button';
import { EYE, EYE_OFF } from '../../ui/drawings';
import { TextField } from '../../ui/field';

/** A secret that is masked until it is asked to show. */
export function SecretField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const [shown, show] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={<IconButton label={shown ? 'Hide secret' : 'Show secret'} icon={shown ? EYE_OFF : EYE} onClick={() => show(!shown)} />}
    />
  );
}
