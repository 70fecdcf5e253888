import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { Db, Tx } from '#server/db/open.ts';
import type { Guesses, GuessKind } from '#server/guess-limits.ts';
import { badRequest } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { Mail, MailPort } from '#server/ports/mail/mail.ts';
import { lockUserByEmail, type UserRow } from '../store.ts';
import type { Purpose } from './code-guards.ts';
import type { CodeMails } from './code-mails.ts';
import type { Asked, CodeRefusal } from './codes.ts';

const BLOCKED = ['code_blocked', 'Too many wrong codes today. Use the link in our latest mail instead.'] as const;
const REFUSALS: Record<CodeRefusal, readonly [code: string, message: string]> = {
  wrong: ['code_wrong', 'The code is not correct.'],
  expired: ['code_expired', 'The code has expired. Please request a new one.'],
  locked: ['code_locked', 'Too many wrong tries. Please request a new code.'],
  'used-up': BLOCKED,
  blocked: BLOCKED,
  'link-only': ['code_link_only', 'Too many wrong codes. Use the link in our latest mail to set a new password.'],
};
/** The network's or the service's budget of wrong codes is spent. */
const SPENT = ['code_link_only', 'Codes are off for now. Use the link in our latest mail instead.'] as const;

const KINDS: Record<Purpose, GuessKind> = { 'verify-email': 'verify-code', 'reset-password': 'reset-code' };

/** The user whose code was right and a result, or the refusal and a mail to send. */
type Outcome<T> = { right: string; value?: T } | { refusal: CodeRefusal; letter?: Mail | undefined };

/** Checks a code in a transaction with the address's user locked, and counts it against the guess limits. Throws 400 for a wrong */
/** code. Responses are the same for known and unknown addresses. */
export type GuessCode = <T>(
  purpose: Purpose,
  email: string,
  from: Networks,
  check: (tx: Tx, user: UserRow | undefined, asked: Asked) => Promise<Outcome<T>>,
) => Promise<T | undefined>;

export function createGuessCode(options: {
  db: Db;
  guesses: Guesses;
  codeMails: CodeMails;
  mail: MailPort;
  afterResponse: AfterResponse;
  audit: Audit;
}): GuessCode {
  const { db, guesses, codeMails, mail, afterResponse, audit } = options;
  return async (purpose, email, from, check) => {
    const kind = KINDS[purpose];
    if (!(await guesses.begin(kind, from))) {
      audit.note('code-refused', { network: from.wide, about: `${purpose}, budget` });
      throw badRequest(...SPENT);
    }
    // Throw after the transaction, so that the wrong try is stored.
    const { userId, outcome } = await db.transaction(async (tx) => {
      const user = await lockUserByEmail(tx, email);
      const asked = { guard: codeMails.guardOf(user, email), purpose };
      const outcome = await check(tx, user, asked);
      // On the day's last try, mail the owner a link, once.
      if (user && 'refusal' in outcome && outcome.refusal === 'used-up') outcome.letter = await codeMails.reset(tx, user);
      return { userId: user?.id, outcome };
    });
    if ('right' in outcome) {
      await guesses.wasRight(kind, from);
      return outcome.value;
    }
    const { refusal, letter } = outcome;
    if (letter) afterResponse.run(() => mail.send(letter));
    audit.note('code-refused', { userId, network: from.wide, about: `${purpose}, ${refusal}` });
    throw badRequest(...REFUSALS[refusal]);
  };
}
