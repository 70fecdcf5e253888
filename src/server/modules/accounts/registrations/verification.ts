import type { ResendBody, VerifyOtpBody } from '#contract/account/account.ts';
import type { Clock } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { Mail, MailPort } from '#server/ports/mail/mail.ts';
import type { CodeMails } from '../codes/code-mails.ts';
import type { Codes } from '../codes/codes.ts';
import type { GuessCode } from '../codes/guess-code.ts';
import type { Links } from '../codes/links.ts';
import { verifiedLetter } from '../mails.ts';
import { lockUserByEmail, normalEmail } from '../store.ts';
import { createRegister, type Register } from './register.ts';
import { findRegistration, findRegistrations, promoteRegistration, type Registration } from './store.ts';

/** Sign-up and email verification. */
export interface Verification {
  register: Register;
  /** Turns the registration that the code belongs to into an account. Throws 400 for a wrong code. */
  verify(body: VerifyOtpBody, from: Networks): Promise<void>;
  /** Returns at once without revealing whether the address is known, then mails. */
  resend(body: ResendBody): void;
  /** Returns the registration of a mailed link. Throws 404 when the link is unknown, used or expired. */
  ofLink(token: string): Promise<Registration>;
  /** Verifies the registration of a mailed link and uses the link up. Throws 404 like `ofLink`. */
  verifyByLink(token: string, from: Networks): Promise<void>;
}

interface Parts {
  db: Db;
  clock: Clock;
  codes: Codes;
  links: Links;
  codeMails: CodeMails;
  guessCode: GuessCode;
  mail: MailPort;
  afterResponse: AfterResponse;
  audit: Audit;
  report: (error: unknown) => void;
}

export function createVerification(options: Parts): Verification {
  const { db, clock, codes, links, codeMails, guessCode, mail, afterResponse, audit } = options;

  async function promote(tx: Tx, registration: Registration): Promise<string | null> {
    return (await promoteRegistration(tx, registration, new Date(clock())))?.id ?? null;
  }

  /** Issues new codes for one registration, or for all pending ones when the caller does not name one. */
  async function resendLetter(tx: Tx, email: string, id: string | undefined): Promise<Mail | undefined> {
    const user = await lockUserByEmail(tx, email);
    const waiting = user ? [] : await findRegistrations(tx, email);
    const wanted = id === undefined ? waiting : waiting.filter((registration) => registration.id === id);
    if (wanted.length > 0) return codeMails.verify(tx, wanted, waiting);
    await codes.issueDecoy(tx, { guard: codeMails.guardOf(user, email), purpose: 'verify-email' });
    return user && verifiedLetter(user.email, user.firstName);
  }

  return {
    register: createRegister(options),

    async verify(body, from) {
      const email = normalEmail(body.email);
      const userId = await guessCode<string>('verify-email', email, from, async (tx, user, asked) => {
        const named = body.registration;
        // The response was lost: the device that registered sends the same code again.
        if (user && user.id === named && (await codes.wasUsed(tx, 'verify-email', user.id, body.recoveryCode))) return { right: user.id };
        const waiting = user ? [] : await findRegistrations(tx, email);
        const wanted = named === undefined ? waiting : waiting.filter(({ id }) => id === named);
        const holders = wanted.map(({ id }) => id);
        const result = await codes.check(tx, asked, holders, body.recoveryCode);
        if ('refusal' in result) {
          const letter = result.refusal === 'used-up' && (waiting.length > 0 ? await codeMails.verify(tx, waiting, waiting) : undefined);
          return { ...result, letter: letter || undefined };
        }
        const registration = wanted.find(({ id }) => id === result.right);
        const userId = registration && (await promote(tx, registration));
        return userId ? { right: userId, value: userId } : { refusal: 'expired' };
      });
      if (userId !== undefined) audit.note('registration', { userId, network: from.wide, about: 'verified by code' });
    },

    resend({ email, registration }) {
      afterResponse.run(async () => {
        const letter = await db.transaction((tx) => resendLetter(tx, normalEmail(email), registration));
        if (letter) await mail.send(letter);
      });
    },

    async ofLink(token) {
      const registration = await db.transaction(async (tx) => {
        const id = await links.ownerOf(tx, 'verify-email', token);
        return id === null ? undefined : findRegistration(tx, id);
      });
      if (!registration) throw notFound();
      return registration;
    },

    async verifyByLink(token, from) {
      const userId = await db.transaction(async (tx) => {
        const id = await links.ownerOf(tx, 'verify-email', token);
        const registration = id === null ? undefined : await findRegistration(tx, id);
        if (!registration) return null;
        await codes.lock(tx, codeMails.guardOf(undefined, registration.email));
        // On a double click, the second waits for the first, which uses the link up.
        return (await findRegistration(tx, registration.id)) ? promote(tx, registration) : null;
      });
      if (userId === null) throw notFound();
      audit.note('registration', { userId, network: from.wide, about: 'verified by link' });
    },
  };
}
