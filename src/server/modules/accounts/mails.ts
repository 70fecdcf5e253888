import { PRODUCT } from '#domain/product.ts';
import { greetingTo } from '#domain/shown-name.ts';
import type { Mail } from '#server/ports/mail/mail.ts';

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

export const passwordChangedLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `Your ${PRODUCT} password was changed`,
    firstName,
    `Your ${PRODUCT} password was changed, and your other devices were signed out.`,
    'If this was not you, set a new password now:',
    '',
    `${publicUrl}/forgot-password`,
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
