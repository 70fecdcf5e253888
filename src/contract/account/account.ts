import * as z from 'zod/mini';
import { uuid } from '../chat/archive.ts';
import { messageAnswer } from '../envelope.ts';
import { nameText } from '../names.ts';
import { atMost, notEmpty } from '../text.ts';
import { isEmail, MESSAGES, PASSWORD_PATTERN } from './account-rules.ts';

export const MAX_NAME = 100;
const MAX_EMAIL = 254;
/** Limits the CPU time of argon2, which hashes the whole text. */
export const MAX_PASSWORD = 200;

export const firstName = nameText(MAX_NAME, MESSAGES.firstNameRequired);
export const lastName = nameText(MAX_NAME, MESSAGES.lastNameRequired);
export const email = z
  .string(MESSAGES.emailRequired)
  .check(atMost(MAX_EMAIL), z.trim(), notEmpty(MESSAGES.emailRequired), z.refine(isEmail, MESSAGES.emailFormat));
export const password = z
  .string(MESSAGES.passwordRequired)
  .check(atMost(MAX_PASSWORD), notEmpty(MESSAGES.passwordRequired), z.regex(PASSWORD_PATTERN, MESSAGES.passwordRule));
export const recoveryCode = z.string().check(atMost(4, MESSAGES.codeDigits), z.regex(/^\d{4}$/, MESSAGES.codeDigits));

/** POST /auth/register/. `country` is an empty string at sign-up. */
export const registerBody = z.object({
  first_name: firstName,
  last_name: lastName,
  email,
  country: z.string().check(atMost(2)),
  password,
});
export type RegisterBody = z.infer<typeof registerBody>;

export const loginBody = z.object({ email, password });
export type LoginBody = z.infer<typeof loginBody>;

/** The `data[0].id` of this device's sign-up. Without it, any sign-up of the address matches. */
const registration = z.optional(uuid);

/** POST /auth/verify-otp/. With `registration`, only the code of that sign-up verifies the address. */
export const verifyOtpBody = z.object({ email, recoveryCode, registration });
export type VerifyOtpBody = z.infer<typeof verifyOtpBody>;

export const resendBody = z.object({ email, registration });
export type ResendBody = z.infer<typeof resendBody>;

/** POST /auth/forgot-password/. The answer doesn't reveal whether the account exists. */
export const forgotPasswordBody = z.object({ email });
export const forgotPasswordAnswer = z.extend(messageAnswer, { data: z.object({ email: z.string() }) });

/** POST /auth/verify-recovery-code/. Exchanges a correct code for a grant that allows one reset within 10 minutes. */
export const verifyRecoveryCodeBody = z.object({ email, recoveryCode });
export const recoveryGrantAnswer = z.extend(messageAnswer, { data: z.object({ recoveryCode: z.string() }) });

/** POST /auth/reset-password/. `recoveryCode` is the grant. */
export const resetPasswordBody = z.object({
  email,
  newPassword: password,
  recoveryCode: z.string().check(atMost(100), notEmpty()),
});
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>;

export const refreshBody = z.object({ refreshToken: z.string().check(atMost(512), notEmpty()) });
export const logoutBody = refreshBody;

/** An empty list means that the sign-up failed. */
export const registerAnswer = z.object({
  status: z.number(),
  message: z.string(),
  data: z.array(z.object({ id: z.string(), email: z.string() })),
});
