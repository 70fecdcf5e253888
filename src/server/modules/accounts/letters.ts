import { MINUTE } from '../../../domain/clock';
import { PRODUCT } from '../../../domain/product';
import type { Mail } from '../../ports/mail/mail';
import { CODE_LIFE } from './codes';

/** The code stands alone on its line, for eyes and for programs. */
export function codeLetter(to: string, firstName: string, code: string): Mail {
  return {
    to,
    subject: `Your ${PRODUCT} verification code`,
    text: [
      `Hello ${firstName},`,
      '',
      `this is your ${PRODUCT} verification code:`,
      '',
      code,
      '',
      `It is good for ${CODE_LIFE / MINUTE} minutes. If you did not ask for it, you need not do anything.`,
      '',
    ].join('\n'),
  };
}

/** Sent instead of further codes once a day's wrong tries are used up (docs/decisions.md, Tokens and codes). */
export function linkLetter(to: string, firstName: string, link: string): Mail {
  return {
    to,
    subject: `Verify your ${PRODUCT} address by link`,
    text: [
      `Hello ${firstName},`,
      '',
      'too many wrong verification codes were typed for your account today, so codes are off until tomorrow (UTC).',
      'If it was you, this link verifies your address. It is good for 24 hours:',
      '',
      link,
      '',
      'If it was not you, you need not do anything.',
      '',
    ].join('\n'),
  };
}

/** For whoever asks for a code that is not needed any more. */
export function verifiedLetter(to: string, firstName: string): Mail {
  return {
    to,
    subject: `Your ${PRODUCT} address is verified`,
    text: [`Hello ${firstName},`, '', 'your address is verified already, so there is no code to type. You can log in.', ''].join('\n'),
  };
}
