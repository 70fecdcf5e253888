import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useLayoutEffect, useState } from 'react';
import { type UseFormReturn, useController, useForm, useWatch } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useLeaveGuard } from '#client/platform/router/use-leave-guard.ts';
import { useProfilePicture } from '#client/platform/session/profile-picture.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { PasswordField, TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { PasswordChecklist } from '#client/ui/fields/password-checklist.tsx';
import { Select } from '#client/ui/fields/select.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { ConfirmDialog } from '#client/ui/overlays/dialog.tsx';
import { MAX_NAME } from '#contract/account/account.ts';
import { PASSWORD_RULES } from '#contract/account/account-rules.ts';
import type { User } from '#contract/account/user.ts';
import { changesOf, formOf, type ProfileForm, profileForm } from './changes.ts';
import { COUNTRY_OPTIONS, matchesCountry } from './countries.ts';
import { PhotoField } from './photo-field.tsx';
import styles from './profile-view.module.css';
import { saveProfile } from './save-profile.ts';

const NOTICE_MS = 4_000;

/** Edits name, country, photo and password. A failed save keeps what was typed. */
export function ProfileView({ user, onSaved }: { user: User; onSaved: () => void }) {
  const form = useForm({
    resolver: zodResolver(profileForm),
    // Not on blur: an error message would move the button away under the pointer.
    mode: 'onSubmit',
    defaultValues: formOf(user),
  });
  const { register, control, handleSubmit, reset, setFocus } = form;
  const { isSubmitting, dirtyFields } = form.formState;
  const { field: country } = useController({ control, name: 'country' });
  const [photo, setPhoto] = useState<Blob>();
  const [sent, setSent] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [notice, showNotice] = useNotice();
  const picture = useProfilePicture(user.profile_image);
  // `isDirty` turns false for a moment on each reload of the profile.
  const isChanged = Object.keys(dirtyFields).length > 0 || photo !== undefined;
  const { leave, stay } = useLeaveGuard(isChanged);

  useEffect(() => setFocus('first_name'), [setFocus]);
  // Takes changes of other devices without losing typed text. A later effect could miss a keystroke in between. Compares
  // values, because a reset ends a submission that is being checked.
  const stored = JSON.stringify(formOf(user));
  useLayoutEffect(() => reset(JSON.parse(stored), { keepDirtyValues: true }), [stored, reset]);

  const submit = handleSubmit(async (values) => {
    setProblem(undefined);
    showNotice(undefined);
    setSent(0);
    const changes = changesOf(values, user, photo);
    if (!changes) {
      reset(formOf(user));
      showNotice('There is nothing to save.');
      return;
    }
    try {
      const saved = await saveProfile(changes, user.id, setSent);
      reset(formOf(saved));
      setPhoto(undefined);
      showNotice('User updated successfully!');
      onSaved();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  });

  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Card className={styles.photo}>
          <PhotoField names={[user.first_name, user.last_name]} picture={picture} photo={photo} onChoose={setPhoto} />
        </Card>
        <Card className={styles.fields}>
          <NameFields form={form} />
          <TextField label="Email" type="email" autoComplete="username" readOnly {...register('email')} />
          <Select label="Country" search={matchesCountry} value={country.value} options={COUNTRY_OPTIONS} onChange={country.onChange} />
        </Card>
        <Card className={styles.fields}>
          <PasswordFields form={form} />
        </Card>
        <div className={styles.save}>
          {problem && <FormError>{problem}</FormError>}
          {isSubmitting && photo && (
            <div className={styles.progress}>
              <span id="sending">Sending your photo</span>
              <Progress aria-labelledby="sending" value={sent} />
            </div>
          )}
          <Button type="submit" block busy={isSubmitting}>
            Save Changes
          </Button>
          <p className={styles.notice} role="status">
            {notice}
          </p>
        </div>
      </form>
      <LeaveDialog open={leave !== undefined} onLeave={() => leave?.()} onStay={stay} />
    </>
  );
}

/** Holds a short notice, which disappears after a few seconds. Showing the same text again restarts its time. */
function useNotice(): [text: string | undefined, show: (text: string | undefined) => void] {
  const [notice, setNotice] = useState<{ text: string }>();
  useEffect(() => {
    if (!notice) return;
    const end = setTimeout(() => setNotice(undefined), NOTICE_MS);
    return () => clearTimeout(end);
  }, [notice]);
  return [notice?.text, (text) => setNotice(text === undefined ? undefined : { text })];
}

type Form = UseFormReturn<ProfileForm>;

const NameFields = ({ form: { register, formState } }: { form: Form }) => (
  <div className={styles.pair}>
    <TextField
      label="First Name"
      autoComplete="given-name"
      maxLength={MAX_NAME}
      error={formState.errors.first_name?.message}
      {...register('first_name')}
    />
    <TextField
      label="Last Name"
      autoComplete="family-name"
      maxLength={MAX_NAME}
      error={formState.errors.last_name?.message}
      {...register('last_name')}
    />
  </div>
);

function PasswordFields({ form: { register, control, formState } }: { form: Form }) {
  const password = useWatch({ control, name: 'password' });
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>New password</legend>
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={password ? <PasswordChecklist rules={PASSWORD_RULES} password={password} /> : 'Leave it empty to keep the one you have.'}
        error={formState.errors.password?.message}
        {...register('password', { deps: 'confirm_password' })}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        error={formState.errors.confirm_password?.message}
        {...register('confirm_password')}
      />
    </fieldset>
  );
}

interface LeaveDialogProps {
  open: boolean;
  onLeave: () => void;
  onStay: () => void;
}

const LeaveDialog = ({ open, onLeave, onStay }: LeaveDialogProps) => (
  <ConfirmDialog open={open} title="Leave without saving" confirm="Leave" danger onConfirm={onLeave} onClose={onStay}>
    <p>What you changed here has not been saved and would be lost.</p>
  </ConfirmDialog>
);
