import { lazy, Suspense, useState } from 'react';
import { PRODUCT } from '../../../domain/product';
import { useProfile } from '../../platform/session/profile';
import { useClaims } from '../../platform/session/use-session';
import { Button } from '../../ui/button';

const ContactDialog = lazy(() => import('./contact-dialog').then((module) => ({ default: module.ContactDialog })));

/** Accounts are deleted on request: a message to support (spec §6). */
export function DeleteAccount() {
  const claims = useClaims();
  const { first_name, last_name, email } = useProfile().data ?? claims;
  const [writing, setWriting] = useState(false);
  return (
    <>
      <Button variant="ghost" block onClick={() => setWriting(true)}>
        Delete Account
      </Button>
      {writing && (
        <Suspense>
          <ContactDialog
            kind="deletion"
            title="User Deletion"
            sender={{ userId: claims.sub, name: `${first_name} ${last_name}`, email }}
            onClose={() => setWriting(false)}
          >
            <p>
              {PRODUCT}'s support deletes your account and what it holds after reading this: your chats, your profile and your plan. Until
              then everything stays as it is.
            </p>
          </ContactDialog>
        </Suspense>
      )}
    </>
  );
}
