import { MINUTE } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { shownName } from '#domain/shown-name.ts';
import type { Tx } from '#server/db/open.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import { letter, minuteOf } from '../mails.ts';
import type { Registration } from '../registrations/store.ts';
import { fakeUserId, type UserRow } from '../store.ts';
import { CODE_LIFE, type Codes } from './codes.ts';
import type { Links } from './links.ts';

const CODES_OFF = 'Too many wrong codes were entered for this address today, so codes are off until tomorrow (UTC).';
const CODE_GOOD_FOR = `The code is good for ${CODE_LIFE / MINUTE} minutes.`;
const LINK_GOOD_FOR = 'It is good once, for 24 hours:';

/** Creates mails with a code and a link, or with the link alone while codes are off. */
export interface CodeMails {
  /** Returns the id that wrong tries for an address count for (`Codes`). */
  guardOf(user: UserRow | undefined, email: string): string;
  /** Issues new codes for registrations of one address, different from those of `others`. */
  verify(tx: Tx, registrations: readonly Registration[], others: readonly Registration[]): Promise<Mail>;
  reset(tx: Tx, user: UserRow): Promise<Mail>;
}

export function createCodeMails({ codes, links, secretsKey }: { codes: Codes; links: Links; secretsKey: string }): CodeMails {
  const guardOf: CodeMails['guardOf'] = (user, email) => user?.id ?? fakeUserId(email, secretsKey);

  return {
    guardOf,

    async verify(tx, registrations, others) {
      const [{ email } = { email: '' }] = registrations;
      const asked = { guard: guardOf(undefined, email), purpose: 'verify-email' } as const;
      const signUps: SignUpCode[] = [];
      for (const { id, firstName, lastName, createdAt } of registrations) {
        const besides = others.filter((other) => other.id !== id).map((other) => other.id);
        const code = await codes.issue(tx, asked, id, besides);
        signUps.push({ firstName, lastName, createdAt, code, link: await links.issue(tx, 'verify-email', id) });
      }
      return verifyLetter(email, signUps);
    },

    async reset(tx, user) {
      const code = await codes.issue(tx, { guard: user.id, purpose: 'reset-password' }, user.id);
      return resetLetter(user.email, user.firstName, code, await links.issue(tx, 'reset-password', user.id));
    },
  };
}

/** A sign-up that awaits verification. Has no code while codes are off. */
interface SignUpCode {
  firstName: string;
  lastName: string;
  createdAt: Date;
  code: string | null;
  /** URL that verifies this sign-up. */
  link: string;
}

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
const resetLetter = (to: string, firstName: string, code: string | null, link: string): Mail =>
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
