import { type ComponentProps, lazy, Suspense } from 'react';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { ContactDialog as Content } from './contact-dialog.tsx';

const ContactDialog = lazy(() => import('./contact-dialog.tsx').then((module) => ({ default: module.ContactDialog })));

/** Opens the form for a message to support from the signed-in user. */
export function WriteToSupport(dialog: Omit<ComponentProps<typeof Content>, 'sender'>) {
  const claims = useClaims();
  const { first_name, last_name, email } = useProfile().data ?? claims;
  return (
    <Suspense>
      <ContactDialog {...dialog} sender={{ userId: claims.sub, name: `${first_name} ${last_name}`, email }} />
    </Suspense>
  );
}
