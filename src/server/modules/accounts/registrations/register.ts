import type { RegisterBody } from '#contract/account/account.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import type { Clock } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import type { Db } from '#server/db/open.ts';
import { badRequest, Problem } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import type { CodeMails } from '../codes/code-mails.ts';
import type { Codes } from '../codes/codes.ts';
import { hashPassword } from '../passwords.ts';
import { lockUserByEmail, normalEmail } from '../store.ts';
import { addRegistration, findRegistrations } from './store.ts';

/** Characters with a meaning in mail address lists, which the contract's rule allows. */
const LIST_CHARACTERS = /[<>()[\],;:\\"]/;

/** Stores a registration and mails its code. Throws 400 when the address has an account, 503 when the mail fails. */
export type Register = (body: RegisterBody, from: Networks) => Promise<{ id: string; email: string }>;

interface Parts {
  db: Db;
  clock: Clock;
  codes: Codes;
  codeMails: CodeMails;
  mail: MailPort;
  audit: Audit;
  report: (error: unknown) => void;
}

export const createRegister =
  ({ db, clock, codes, codeMails, mail, audit, report }: Parts): Register =>
  async (body, from) => {
    const email = normalEmail(body.email);
    if (LIST_CHARACTERS.test(email)) throw badRequest('validation', MESSAGES.emailFormat, { fields: { email: MESSAGES.emailFormat } });
    const passwordHash = await hashPassword(body.password);
    const { id, letter } = await db.transaction(async (tx) => {
      if (await lockUserByEmail(tx, email)) {
        throw badRequest('email_taken', 'An account with this email already exists. Please log in instead.');
      }
      await codes.lock(tx, codeMails.guardOf(undefined, email));
      const names = { firstName: body.first_name, lastName: body.last_name, country: body.country.toLowerCase() };
      const row = { email, ...names, passwordHash, network: from.wide, createdAt: new Date(clock()) };
      const registration = await addRegistration(tx, row);
      return { id: registration.id, letter: await codeMails.verify(tx, [registration], await findRegistrations(tx, email)) };
    });
    audit.note('registration', { userId: id, network: from.wide });
    await mail.send(letter).catch((error: unknown) => {
      report(error);
      throw new Problem(503, 'mail_unavailable', 'We could not send you the code. Please try again in a moment.');
    });
    return { id, email };
  };
