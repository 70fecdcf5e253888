import * as z from 'zod/mini';
import { email, firstName, lastName, MAX_PASSWORD, password } from '#contract/account/account.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { atMost, notEmpty } from '#contract/text.ts';

/** The sign-up form: the contract's rules, plus the repeated password and the terms. */
export const signUpForm = z
  .object({
    first_name: firstName,
    last_name: lastName,
    email,
    password,
    confirm_password: z.string().check(atMost(MAX_PASSWORD, MESSAGES.passwordMatch), notEmpty(MESSAGES.passwordMatch)),
    terms: z.boolean().check(z.refine((ticked) => ticked, MESSAGES.termsRequired)),
  })
  .check(
    z.refine((form) => form.confirm_password === form.password, {
      path: ['confirm_password'],
      error: MESSAGES.passwordMatch,
      when: () => true, // even if other fields are invalid
    }),
  );
export type SignUpForm = z.infer<typeof signUpForm>;

const EMPTY: SignUpForm = { first_name: '', last_name: '', email: '', password: '', confirm_password: '', terms: false };

/** Input kept while the user reads the terms. In memory only, because it has a password. */
let draft = EMPTY;

export const readDraft = (): SignUpForm => draft;
export function keepDraft(form: SignUpForm) {
  draft = form;
}
export function dropDraft() {
  draft = EMPTY;
}
