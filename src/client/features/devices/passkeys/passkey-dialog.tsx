import { useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { ConfirmDialog, Dialog } from '#client/ui/overlays/dialog.tsx';
import { MAX_PASSKEY_NAME, type Passkey, passkeyName } from '#contract/account/passkeys.ts';
import styles from './passkey-dialog.module.css';
import { removePasskey, renamePasskey } from './passkeys.ts';

interface DialogProps {
  passkey: Passkey;
  /** Called with the result, or without one if nothing was changed. */
  onEnd: (outcome?: Outcome) => void;
}

/** Dialogs that rename or remove a passkey. */
export const PasskeyDialog = ({ about, ...props }: DialogProps & { about: 'rename' | 'remove' }) =>
  about === 'rename' ? <RenameDialog {...props} /> : <RemoveDialog {...props} />;

function RenameDialog({ passkey, onEnd }: DialogProps) {
  const [name, setName] = useState(passkey.name);
  const [wrong, setWrong] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async () => {
    const parsed = passkeyName.safeParse(name);
    setWrong(parsed.error?.issues[0]?.message);
    setProblem(undefined);
    if (!parsed.success) return;
    setBusy(true);
    try {
      await renamePasskey(passkey, parsed.data);
      onEnd({ tone: 'done', title: `The passkey is named ${parsed.data}.` });
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };

  return (
    <Dialog open title="Rename passkey" onClose={() => onEnd()}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="Name"
          autoComplete="off"
          data-autofocus
          maxLength={MAX_PASSKEY_NAME}
          value={name}
          error={wrong}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {problem && <FormError>{problem}</FormError>}
        <Button type="submit" block busy={isBusy}>
          Rename
        </Button>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onEnd }: DialogProps) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await removePasskey(passkey);
      onEnd({ tone: 'done', title: `${passkey.name} is removed.` });
    } catch (error) {
      onEnd({ tone: 'failed', title: `${errorMessage(error)} Nothing was removed.` });
    }
  };
  return (
    <ConfirmDialog
      open
      title="Remove passkey"
      confirm="Remove"
      danger
      busy={isBusy}
      onConfirm={() => void confirm()}
      onClose={() => onEnd()}
    >
      <p>
        {passkey.name} can no longer sign in. Your password keeps working, and no device is signed out. Your password manager may still show
        it: delete it there too.
      </p>
    </ConfirmDialog>
  );
}
