import * as z from 'zod/mini';
import { MAX_NAME, MAX_PASSWORD } from '#contract/account/account.ts';
import { MESSAGES, PASSWORD_PATTERN } from '#contract/account/account-rules.ts';
import type { User } from '#contract/account/user.ts';
import { isPlainName, NAME_RULE } from '#contract/names.ts';
import { atMost } from '#contract/text.ts';

const name = z.string().check(atMost(MAX_NAME), z.trim(), z.refine(isPlainName, NAME_RULE));

/** The profile form. All fields are optional: an empty one changes nothing. */
export const profileForm = z
  .object({
    first_name: name,
    last_name: name,
    email: z.string(),
    country: z.string(),
    password: z.string().check(
      atMost(MAX_PASSWORD),
      z.refine((password) => password === '' || PASSWORD_PATTERN.test(password), MESSAGES.passwordRule),
    ),
    confirm_password: z.string(),
  })
  .check(
    z.refine((form) => form.confirm_password === form.password, {
      path: ['confirm_password'],
      error: MESSAGES.passwordMatch,
      when: () => true, // even if other fields are invalid
    }),
  );
export type ProfileForm = z.infer<typeof profileForm>;

export const formOf = ({ first_name, last_name, email, country }: User): ProfileForm => ({
  first_name,
  last_name,
  email,
  country,
  password: '',
  confirm_password: '',
});

const FIELDS = ['first_name', 'last_name', 'country', 'password'] as const;

/** The body of PATCH /auth/user/{userId}/. */
export interface Changes {
  form: FormData;
  /** Also part of the form. */
  photo: Blob | undefined;
}

/** Returns the fields that are filled and changed; undefined if there are none. */
export function changesOf(form: ProfileForm, user: User, photo: Blob | undefined): Changes | undefined {
  const before = formOf(user);
  const changed = FIELDS.filter((field) => form[field] !== '' && form[field] !== before[field]);
  if (changed.length === 0 && !photo) return undefined;
  const data = new FormData();
  data.set('user_id', user.id);
  for (const field of changed) data.set(field, field === 'country' ? form.country.toLowerCase() : form[field]);
  if (photo) data.set('profile_picture', photo, photo.type === 'image/png' ? 'photo.png' : 'photo.jpg');
  return { form: data, photo };
}
