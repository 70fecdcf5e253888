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

/** A sign-up that waits for its address, with the ways to verify it; without a code while codes are off. */
export interface SignUpCode {
  firstName: string;
  lastName: string;
  createdAt: Date;
  code: string | null;
  /** Verifies this sign-up. */
  link: string;
}

const CODES_OFF = 'Too many wrong codes were entered for this address today, so codes are off until tomorrow (UTC).';
const CODE_GOOD_FOR = `The code is good for ${CODE_LIFE / MINUTE} minutes.`;
const LINK_GOOD_FOR = 'It is good once, for 24 hours:';

/** Such as `2026-11-22 13:05 UTC`. */
export const minuteOf = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Says which sign-up each code belongs to: the reader of the mailbox decides. A code is alone on its line, for eyes and for programs. */
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

/** Without a code while codes are off for this account. */
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
    'If you did not ask for this, ignore this mail: your password stays as it is.',
  );

/** For whoever asks for a code that is not needed any more. */
export const verifiedLetter = (to: string, firstName: string): Mail =>
  letter(
    to,
    `Your ${PRODUCT} address is verified`,
    firstName,
    'your address is verified already, so there is no code to type. You can log in.',
  );

/** For whoever forgot the password of an account that was never verified. */
export const unverifiedLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `Your ${PRODUCT} address is not verified yet`,
    firstName,
    'somebody asked for a new password for your account. Its address has to be verified first:',
    '',
    `${publicUrl}/verify-email`,
    '',
    'If it was not you, you need not do anything.',
  );

export const passwordChangedLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `Your ${PRODUCT} password was changed`,
    firstName,
    `the password of your ${PRODUCT} account was changed, and other devices were signed out.`,
    'If it was not you, set a new one at once:',
    '',
    `${publicUrl}/forgot-password`,
  );

/** A refresh token came back after its successor was used: somebody may hold a copy of it. */
export const copiedSessionLetter = (to: string, firstName: string, publicUrl: string): Mail =>
  letter(
    to,
    `A device was signed out of ${PRODUCT}`,
    firstName,
    'an outdated key of one of your sessions was used again. That can mean that somebody copied it, so we ended the session:',
    'that device has to log in again. Your other devices go on.',
    'If you do not know why, set a new password, which ends all sessions:',
    '',
    `${publicUrl}/forgot-password`,
  );
