import { MINUTE } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { greetingTo, shownName } from '#domain/shown-name.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import { CODE_LIFE } from './codes/codes.ts';

const letter = (to: string, subject: string, firstName: string, ...lines: string[]): Mail => ({
  to,
  subject,
  text: [greetingTo(firstName), '', ...lines, ''].join('\n'),
});

/** A sign-up that awaits verification. Has no code while codes are off. */
export interface SignUpCode {
  firstName: string;
  lastName: string;
  createdAt: Date;
  code: string | null;
  /** URL that verifies this sign-up. */
  link: string;
}

const CODES_OFF = 'Too many wrong codes were entered for this address today, so codes are off until tomorrow (UTC).';
const CODE_GOOD_FOR = `The code is good for ${CODE_LIFE / MINUTE} minutes.`;
const LINK_GOOD_FOR = 'It is good once, for 24 hours:';

/** Formats a time, such as `2026-11-22 13:05 UTC`. */
export const minuteOf = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names the sign-up that each code belongs to, so that the reader can choose. Each code is alone on its line. */
export function verifyLetter(to: string, signUps: readonly SignUpCode[]): Mail {
  const [first] = signUps;
  const isOff = first?.code === null;
  const isOne = signUps.length === 1;
  const way = isOff ? 'link' : 'code';
  const ways = ({ code, link }: SignUpCode) =>
    code === null ? ['', LINK_GOOD_FOR, '', link] : ['', code, '', `Or use this link. ${LINK_GOOD_FOR}`, '', link];
  return letter(
    to,
    isOff ? `Verify your ${PRODUCT} address by link` : `Your ${PRODUCT} verification code`,
    isOne ? (first?.firstName ?? '') : '',
    ...(isOff ? [CODES_OFF, ''] : []),
    ...(isOne
      ? [isOff ? 'This link verifies your address.' : `this is your ${PRODUCT} verification code:`, ...signUps.flatMap(ways)]
      : [
          `there is more than one sign-up for this address. Use the ${way} below your own name and time; the other sign-ups then end.`,
          ...signUps.flatMap((signUp) => ['', `Sign-up of ${titleOf(signUp)}:`, ...ways(signUp)]),
        ]),
    '',
    ...(isOff ? [] : [CODE_GOOD_FOR]),
    ...(first && isOne ? [`It is for the sign-up of ${titleOf(first)}.`] : []),
    'If you did not sign up, ignore this mail.',
  );
}

const titleOf = ({ firstName, lastName, createdAt }: SignUpCode) => `${shownName(`${firstName} ${lastName}`)}, ${minuteOf(createdAt)}`;

/** Has no code while codes are off for this account. */
export const resetLetter = (to: string, firstName: string, code: string | null, link: string): Mail =>
  letter(
    to,
    code === null ? `Set a new ${PRODUCT} password by link` : `Your ${PRODUCT} password reset code`,
    firstName,
    ...(code === null
      ? [CODES_OFF, '', `This link lets you set a new password. ${LINK_GOOD_FOR}`]
      : [
          `with this code you can set a new ${PRODUCT} password:`,
          '',
          code,
          '',
          CODE_GOOD_FOR,
          '',
          `Or use this link instead. ${LINK_GOOD_FOR}`,
        ]),
    '',
    link,
    '',
    'If you did not ask for this, ignore this mail. Your password stays the same.',
  );

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
