import { PRODUCT } from '#domain/product.ts';
import { greetingTo } from '#domain/shown-name.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import { DEVICES_PATH } from './security-notices.ts';

/** Returns a plain-text mail with a greeting. */
export const letter = (to: string, subject: string, firstName: string, ...lines: string[]): Mail => ({
  to,
  subject,
  text: [greetingTo(firstName), '', ...lines, ''].join('\n'),
});

/** Formats a time, such as `2026-11-22 13:05 UTC`. */
export const minuteOf = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Sent when a verified address requests a code. */
export const verifiedLetter = (to: string, firstName: string): Mail =>
  letter(to, `Your ${PRODUCT} address is verified`, firstName, 'Your address is already verified, so you need no code. You can log in.');

/** Sent when an unverified account requests a new password. */
export const unverifiedLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `Your ${PRODUCT} address is not verified yet`,
    firstName,
    'We received a request for a new password. Verify your address first:',
    '',
    `${publicUrl}/verify-email`,
    '',
    'If this was not you, you can ignore this mail.',
  );

/** @param hasPasskeys adds that a new password does not end them */
export const passwordChangedLetter = (to: string, firstName: string, publicUrl: string, hasPasskeys: boolean): Mail =>
  letter(
    to,
    `Your ${PRODUCT} password was changed`,
    firstName,
    `Your ${PRODUCT} password was changed, and your other devices were signed out.`,
    'If this was not you, set a new password now:',
    '',
    `${publicUrl}/forgot-password`,
    ...(hasPasskeys ? ['', 'Your passkeys still sign in. Remove any that you do not know:', '', `${publicUrl}${DEVICES_PATH}`] : []),
  );

export const passkeyAddedLetter = (to: string, firstName: string, name: string, publicUrl: string): Mail =>
  letter(
    to,
    `A passkey was added to your ${PRODUCT} account`,
    firstName,
    `The passkey "${name}" can sign in to your ${PRODUCT} account.`,
    'If you did not add it, remove it and set a new password:',
    '',
    `${publicUrl}${DEVICES_PATH}`,
    `${publicUrl}/forgot-password`,
  );

export const passkeyRemovedLetter = (to: string, firstName: string, name: string, publicUrl: string): Mail =>
  letter(
    to,
    `A passkey was removed from your ${PRODUCT} account`,
    firstName,
    `The passkey "${name}" can no longer sign in to your ${PRODUCT} account.`,
    'If you did not remove it, set a new password. That signs all devices out:',
    '',
    `${publicUrl}/forgot-password`,
  );

/** A passkey's counter did not rise: a second authenticator may have its key. */
export const copiedPasskeyLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `A passkey of your ${PRODUCT} account was refused`,
    firstName,
    'One of your passkeys may have been copied, so we refused it. Sign in with your password, remove the passkey and add a new one:',
    '',
    `${publicUrl}${DEVICES_PATH}`,
  );

/** Reuse of a rotated refresh token signs the session out: an attacker may have copied it. */
export const copiedSessionLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `A device was signed out of ${PRODUCT}`,
    firstName,
    'An old sign-in token of one of your devices was used again. It may have been copied, so we signed that device out.',
    'Log in again on that device. Your other devices stay signed in.',
    'If you do not recognize this, set a new password. That signs all devices out:',
    '',
    `${publicUrl}/forgot-password`,
  );
