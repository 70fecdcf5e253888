import { MINUTE } from '../../../domain/clock';
import { PRODUCT } from '../../../domain/product';
import type { Mail } from '../../ports/mail/mail';
import { CODE_LIFE } from './codes/codes';

const letter = (to: string, subject: string, firstName: string, ...lines: string[]): Mail => ({
  to,
  subject,
  text: [`Hello ${firstName},`, '', ...lines, ''].join('\n'),
});

/** The code stands alone on its line, for eyes and for programs. */
const codeLines = (code: string) => [
  '',
  code,
  '',
  `It is good for ${CODE_LIFE / MINUTE} minutes. If you did not ask for it, you need not do anything.`,
];

export const verifyCodeLetter = (to: string, firstName: string, code: string): Mail =>
  letter(to, `Your ${PRODUCT} verification code`, firstName, `this is your ${PRODUCT} verification code:`, ...codeLines(code));

export const resetCodeLetter = (to: string, firstName: string, code: string): Mail =>
  letter(to, `Your ${PRODUCT} password reset code`, firstName, `with this code you can set a new ${PRODUCT} password:`, ...codeLines(code));

/** Sent instead of further codes once a day's wrong tries are used up (docs/decisions.md, Session and codes). */
export const linkLetter = (to: string, firstName: string, link: string): Mail =>
  letter(
    to,
    `Verify your ${PRODUCT} address by link`,
    firstName,
    'too many wrong verification codes were typed for your account today, so codes are off until tomorrow (UTC).',
    'If it was you, this link verifies your address. It is good for 24 hours:',
    '',
    link,
    '',
    'If it was not you, you need not do anything.',
  );

/** The same for somebody who is verified. */
export const resetLinkLetter = (to: string, firstName: string, link: string): Mail =>
  letter(
    to,
    `Set a new ${PRODUCT} password by link`,
    firstName,
    'too many wrong codes were typed for your account today, so codes are off until tomorrow (UTC).',
    'If it was you, this link lets you set a new password, once. It is good for 24 hours:',
    '',
    link,
    '',
    'If it was not you, you need not do anything: your password is as it was, and you can log in with it.',
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
