import { createHmac } from 'node:crypto';
import type { VerifyOtpBody } from '../../../../contract/account';
import { API_PREFIX } from '../../../../contract/paths';
import type { Db, Tx } from '../../../db/open';
import type { Errands } from '../../../errands';
import { badRequest } from '../../../http/errors';
import type { Mail, MailPort } from '../../../ports/mail/mail';
import { linkLetter, resetCodeLetter, resetLinkLetter, unverifiedLetter, verifiedLetter, verifyCodeLetter } from '../letters';
import { lockUserByEmail, normalEmail, type UserRow } from '../store';
import type { CodeResult, Codes, Purpose } from './codes';

type Refusal = [code: string, message: string];
const BLOCKED: Refusal = ['code_blocked', 'Too many wrong codes today. We mailed you a link that helps instead.'];
const REFUSALS: Record<Exclude<CodeResult, 'right'>, Refusal> = {
  wrong: ['code_wrong', 'The code is not correct.'],
  expired: ['code_expired', 'The code has expired. Please request a new one.'],
  locked: ['code_locked', 'Too many wrong tries. Please request a new code.'],
  'used-up': BLOCKED,
  blocked: BLOCKED,
};

/** Where mailed links lead, below API_PREFIX. */
export const LINK_PATHS = { 'verify-email': '/auth/verify-link', 'reset-password': '/auth/reset-link' } as const;

/** Codes on their way to people and back. What anybody can see of it is the same for every address, known or not. */
export interface MailedCodes {
  /** The letter with a fresh code, or with a link while the user's codes are used up. */
  letterFor(tx: Tx, user: UserRow, purpose: Purpose): Promise<Mail>;
  /** Mails such a letter later on, if the address is one that needs it. */
  request(email: string, purpose: Purpose): void;
  /** What `right` makes of the user whose code it is. Throws the 400 that says what is wrong with the code. */
  redeem<T>(body: VerifyOtpBody, purpose: Purpose, right: (tx: Tx, user: UserRow) => Promise<T>): Promise<T>;
}

export function createMailedCodes(options: {
  db: Db;
  codes: Codes;
  mail: MailPort;
  errands: Errands;
  secretsKey: string;
  publicUrl: string;
}): MailedCodes {
  const { db, codes, mail, errands } = options;

  const holderOf = (user: UserRow | undefined, email: string) => user?.id ?? nobodysId(email, options.secretsKey);

  /** Somebody verified is helped by a new password, anybody else by verifying the address. */
  async function linkFor(tx: Tx, user: UserRow): Promise<Mail> {
    const purpose = purposeOf(user);
    const link = `${options.publicUrl}${API_PREFIX}${LINK_PATHS[purpose]}/${await codes.issueLink(tx, user.id, purpose)}`;
    return (purpose === 'reset-password' ? resetLinkLetter : linkLetter)(user.email, user.firstName, link);
  }

  async function letterFor(tx: Tx, user: UserRow, purpose: Purpose): Promise<Mail> {
    const code = await codes.issue(tx, user.id, purpose);
    if (code === null) return linkFor(tx, user);
    return (purpose === 'reset-password' ? resetCodeLetter : verifyCodeLetter)(user.email, user.firstName, code);
  }

  return {
    letterFor,

    request(email, purpose) {
      errands.run(async () => {
        const address = normalEmail(email);
        const letter = await db.transaction(async (tx) => {
          const user = await lockUserByEmail(tx, address);
          if (user && purposeOf(user) === purpose) return letterFor(tx, user, purpose);
          await codes.issueDecoy(tx, holderOf(user, address), purpose);
          return user && (purpose === 'reset-password' ? unverifiedLetter : verifiedLetter)(user.email, user.firstName, options.publicUrl);
        });
        if (letter) await mail.send(letter);
      });
    },

    async redeem(body, purpose, right) {
      const email = normalEmail(body.email);
      // A wrong try must be stored, so the refusal is thrown after the transaction.
      const outcome = await db.transaction(async (tx) => {
        const user = await lockUserByEmail(tx, email);
        const result = await codes.check(tx, holderOf(user, email), purpose, body.recoveryCode);
        if (result !== 'right') return { refusal: REFUSALS[result], letter: user && result === 'used-up' && (await linkFor(tx, user)) };
        return user ? { value: await right(tx, user) } : { refusal: REFUSALS.wrong };
      });
      if (outcome.refusal === undefined) return outcome.value;
      const { letter } = outcome;
      if (letter) errands.run(() => mail.send(letter));
      throw badRequest(...outcome.refusal);
    },
  };
}

const purposeOf = (user: UserRow): Purpose => (user.verifiedAt ? 'reset-password' : 'verify-email');

/** The same made-up id each time for an address without an account. */
function nobodysId(email: string, secretsKey: string): string {
  const hex = createHmac('sha256', secretsKey).update(`nobody ${email}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
