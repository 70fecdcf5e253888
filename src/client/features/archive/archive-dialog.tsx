import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { ConfirmDialog, Dialog } from '#client/ui/overlays/dialog.tsx';
import { type Archive, renameBody } from '#contract/chat/archive.ts';
import { MAX_PINS } from '#contract/chat/archive-limits.ts';
import styles from './archive-dialog.module.css';
import { deleteArchive, renameArchive } from './archive-edits.ts';

interface ArchiveDialogProps {
  archive: Archive;
  onClose: () => void;
}

interface DeleteDialogProps extends ArchiveDialogProps {
  onDeleted: (id: string) => void;
}

/** Dialogs that rename or delete a conversation, or say that no more can be pinned. */
export function ArchiveDialog({ asked, ...props }: DeleteDialogProps & { asked: 'rename' | 'delete' | 'full' }) {
  if (asked === 'full') return <FullDialog {...props} />;
  return asked === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}

const FullDialog = ({ onClose }: ArchiveDialogProps) => (
  <Dialog open title="Not pinned" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
    <p>{`${MAX_PINS} chats are pinned already. Unpin one to pin this one.`}</p>
  </Dialog>
);

function RenameDialog({ archive, onClose }: ArchiveDialogProps) {
  const db = userDb(useClaims().sub);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(renameBody),
    mode: 'onSubmit', // validating on blur would move the button away from the click
    defaultValues: { archiveTitle: archive.archive_title },
  });
  const submit = handleSubmit(async ({ archiveTitle }) => {
    await renameArchive(db, archive.id, archiveTitle);
    onClose();
  });
  return (
    <Dialog open title="Rename chat" onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label="Title"
          autoComplete="off"
          data-autofocus
          error={formState.errors.archiveTitle?.message}
          {...register('archiveTitle')}
        />
        <Button type="submit" block>
          Rename
        </Button>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ archive, onClose, onDeleted }: DeleteDialogProps) {
  const db = userDb(useClaims().sub);
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await deleteArchive(db, archive.id).finally(onClose);
    onDeleted(archive.id);
  }
  return (
    <ConfirmDialog open title="Delete chat" confirm="Delete" danger busy={busy} onClose={onClose} onConfirm={() => void confirm()}>
      <p>
        {archive.archive_title ? `"${archive.archive_title}"` : 'This chat'} is deleted with all its questions, answers and pictures, on
        every device. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
