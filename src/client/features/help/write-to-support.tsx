import type { ComponentProps } from 'react';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { ContactDialog as Content } from './contact-dialog.tsx';

const ContactDialog = lateDialog(async () => ({ default: (await import('./contact-dialog.tsx')).ContactDialog }));

/** Opens the form for a message to support from the signed-in user. */
export function WriteToSupport(dialog: Omit<ComponentProps<typeof Content>, 'sender'>) {
  const claims = useClaims();
  const { first_name, last_name, email } = useProfile().data ?? claims;
  return <ContactDialog {...dialog} sender={{ userId: claims.sub, name: `${first_name} ${last_name}`, email }} />;
}
