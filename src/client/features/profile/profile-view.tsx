import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
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
import type { User } from '#contract/account/account.ts';
import { changesOf, formOf, profileForm } from './changes.ts';
import { COUNTRY_OPTIONS } from './countries.ts';
import { PhotoField } from './photo-field.tsx';
import styles from './profile-view.module.css';
import { saveProfile } from './save-profile.ts';

/** ms (spec §9). */
const SUCCESS_SHOWN = 4_000;
/** Characters (contract/account). */
const MAX_NAME = 100;

/** What can be changed about oneself. Without a connection it stays filled and can be saved again. */
export function ProfileView({ user, onSaved }: { user: User; onSaved: () => void }) {
  const form = useForm({
    resolver: zodResolver(profileForm),
    mode: 'onSubmit', // a message that pushes the rest down while a button is being pressed swallows the click
    defaultValues: formOf(user),
  });
  const { register, control, handleSubmit, reset, setFocus } = form;
  const { errors, isSubmitting, dirtyFields } = form.formState;
  const { field: country } = useController({ control, name: 'country' });
  const password = useWatch({ control, name: 'password' });
  const [photo, setPhoto] = useState<Blob>();
  const [sent, setSent] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState<{ words: string }>();
  const picture = useProfilePicture(user.profile_image);
  // Not isDirty, which is false for a moment whenever the profile is read anew.
  const isChanged = Object.keys(dirtyFields).length > 0 || photo !== undefined;
  const { leave, stay } = useLeaveGuard(isChanged);

  useEffect(() => setFocus('first_name'), [setFocus]);
  // What another device changed does not undo what is typed here: at once, before a key that was pressed meanwhile is heard.
  useLayoutEffect(() => reset(formOf(user), { keepDirtyValues: true }), [user, reset]);
  useEffect(() => {
    if (!said) return;
    const end = setTimeout(() => setSaid(undefined), SUCCESS_SHOWN);
    return () => clearTimeout(end);
  }, [said]);

  const submit = handleSubmit(async (values) => {
    setProblem(undefined);
    setSaid(undefined);
    setSent(0);
    const changes = changesOf(values, user, photo);
    if (!changes) {
      reset(formOf(user));
      setSaid({ words: 'There is nothing to save.' });
      return;
    }
    try {
      const saved = await saveProfile(changes, user.id, setSent);
      reset(formOf(saved));
      setPhoto(undefined);
      setSaid({ words: 'User updated successfully!' });
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
          <div className={styles.pair}>
            <TextField
              label="First Name"
              autoComplete="given-name"
              maxLength={MAX_NAME}
              error={errors.first_name?.message}
              {...register('first_name')}
            />
            <TextField
              label="Last Name"
              autoComplete="family-name"
              maxLength={MAX_NAME}
              error={errors.last_name?.message}
              {...register('last_name')}
            />
          </div>
          <TextField label="Email" type="email" autoComplete="username" readOnly {...register('email')} />
          <Select label="Country" searchable value={country.value} options={COUNTRY_OPTIONS} onChange={country.onChange} />
        </Card>
        <Card className={styles.fields}>
          <fieldset className={styles.fieldset}>
            <legend className={styles.legend}>New password</legend>
            <PasswordField
              label="Password"
              autoComplete="new-password"
              hint={password ? <PasswordChecklist password={password} /> : 'Leave it empty to keep the one you have.'}
              error={errors.password?.message}
              {...register('password', { deps: 'confirm_password' })}
            />
            <PasswordField
              label="Confirm Password"
              autoComplete="new-password"
              error={errors.confirm_password?.message}
              {...register('confirm_password')}
            />
          </fieldset>
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
          <p className={styles.said} role="status">
            {said?.words}
          </p>
        </div>
      </form>
      <ConfirmDialog
        open={leave !== undefined}
        title="Leave without saving"
        confirm="Leave"
        danger
        onConfirm={() => leave?.()}
        onClose={stay}
      >
        <p>What you changed here has not been saved and would be lost.</p>
      </ConfirmDialog>
    </>
  );
}
