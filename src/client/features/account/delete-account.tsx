import { useState } from 'react';
import { history } from '../../platform/router/history';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { DeletionForm } from './deletion-form';

interface DeleteAccountProps {
  name: string;
  email: string;
  userId: string;
}

/** Accounts are deleted on request: a message to support (spec §6), and the sheet that thanks for it (spec §4). */
export function DeleteAccount(account: DeleteAccountProps) {
  const [shown, show] = useState<'nothing' | 'form' | 'thanks'>('nothing');
  const close = () => show('nothing');
  return (
    <>
      <Button variant="ghost" block onClick={() => show('form')}>
        Delete Account
      </Button>
      <Dialog open={shown === 'form'} title="User Deletion" onClose={close}>
        <DeletionForm {...account} onSent={() => show('thanks')} />
      </Dialog>
      <Dialog
        open={shown === 'thanks'}
        title="Thanks for reaching out!"
        onClose={close}
        actions={<Button onClick={() => history.push('/home')}>Back to Home</Button>}
      >
        <p role="status">
          Someone from the support team will review your issue & get back to you as soon as possible. Please keep patience.
        </p>
      </Dialog>
    </>
  );
}
