import type { Tx } from '#server/db/open.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import { resetLetter, type SignUpCode, verifyLetter } from '../mails.ts';
import type { Registration } from '../registrations/store.ts';
import { fakeUserId, type UserRow } from '../store.ts';
import type { Codes } from './codes.ts';
import type { Links } from './links.ts';

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
