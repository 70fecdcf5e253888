import { useState } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import { WriteToSupport } from './write-to-support.tsx';

/** Requests the deletion of the account by a message to support. */
export function DeleteAccount() {
  const [writing, setWriting] = useState(false);
  return (
    <>
      <Button variant="ghostDanger" block onClick={() => setWriting(true)}>
        Delete Account
      </Button>
      {writing && (
        <WriteToSupport kind="deletion" title="User Deletion" onClose={() => setWriting(false)}>
          <p>
            {PRODUCT}'s support deletes your account and what it holds after reading this: your chats, your profile and your plan. Until
            then everything stays as it is.
          </p>
        </WriteToSupport>
      )}
    </>
  );
}
