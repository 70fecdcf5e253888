import type { ResetPasswordBody, VerifyOtpBody } from '#contract/account/account.ts';
import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { Db } from '#server/db/open.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import { unverifiedLetter } from '../mails.ts';
import type { ChangePassword } from '../password-change.ts';
import { hashPassword } from '../passwords.ts';
import { findRegistrations } from '../registrations/store.ts';
import { lockUserByEmail, lockUserRow, normalEmail } from '../store.ts';
import type { CodeMails } from './code-mails.ts';
import type { Codes } from './codes.ts';
import type { Grants } from './grants.ts';
import type { GuessCode } from './guess-code.ts';
import type { Links } from './links.ts';

/** Password reset by code or link. */
export interface Recovery {
  /** Returns at once without revealing whether the account exists, then mails. */
  forgotPassword(email: string): void;
  /** Exchanges a right code for a grant. */
  verifyCode(body: Pick<VerifyOtpBody, 'email' | 'recoveryCode'>, from: Networks): Promise<string>;
  /** Sets the password and uses the grant up. Throws 400 when the grant is wrong, used or expired. */
  resetPassword(body: ResetPasswordBody, from: Networks): Promise<void>;
  /** Throws 404 when a mailed link is unknown, used or expired. */
  checkLink(token: string): Promise<void>;
  /** Sets the password and uses the link up. Throws 404 like `checkLink`. */
  resetByLink(token: string, password: string, from: Networks): Promise<void>;
}

interface Parts {
  db: Db;
  codes: Codes;
  grants: Grants;
  links: Links;
  codeMails: CodeMails;
  guessCode: GuessCode;
  mail: MailPort;
  afterResponse: AfterResponse;
  audit: Audit;
  changePassword: ChangePassword;
  /** Called after a user set a new password from these networks. */
  onReset: (userId: string, from: Networks) => Promise<void>;
  publicUrl: string;
}

export function createRecovery(options: Parts): Recovery {
  const { db, codes, grants, links, codeMails, guessCode, mail, afterResponse, audit, changePassword } = options;

  async function checkLink(token: string): Promise<void> {
    if (!(await db.transaction((tx) => links.ownerOf(tx, 'reset-password', token)))) throw notFound();
  }

  async function finish(changed: { userId: string; tell: () => void }, from: Networks, about: string): Promise<void> {
    changed.tell();
    audit.note('password-reset', { userId: changed.userId, network: from.wide, about });
    await options.onReset(changed.userId, from);
  }

  return {
    forgotPassword(email) {
      afterResponse.run(async () => {
        const address = normalEmail(email);
        const letter = await db.transaction(async (tx) => {
          const user = await lockUserByEmail(tx, address);
          if (user) return codeMails.reset(tx, user);
          await codes.issueDecoy(tx, { guard: codeMails.guardOf(undefined, address), purpose: 'reset-password' });
          const [waiting] = await findRegistrations(tx, address);
          return waiting && unverifiedLetter(waiting.email, waiting.firstName, options.publicUrl);
        });
        if (letter) await mail.send(letter);
      });
    },

    async verifyCode(body, from) {
      const grant = await guessCode('reset-password', normalEmail(body.email), from, async (tx, user, asked) => {
        const result = await codes.check(tx, asked, [asked.guard], body.recoveryCode);
        if ('refusal' in result) return result;
        return user ? { right: user.id, value: await grants.issue(tx, user.id) } : { refusal: 'wrong' };
      });
      return grant ?? '';
    },

    async resetPassword(body, from) {
      // Hash first, so that unknown addresses take the same time.
      const passwordHash = await hashPassword(body.newPassword);
      const changed = await db.transaction(async (tx) => {
        const user = await lockUserByEmail(tx, normalEmail(body.email));
        if (!user || !(await grants.spend(tx, user.id, body.recoveryCode))) return null;
        return { userId: user.id, tell: await changePassword(tx, user, passwordHash) };
      });
      if (!changed) {
        audit.note('code-refused', { network: from.wide, about: 'reset-password, grant' });
        throw badRequest('grant_invalid', 'This password reset is no longer valid. Start again.');
      }
      await finish(changed, from, 'by code');
    },

    checkLink,

    async resetByLink(token, password, from) {
      await checkLink(token);
      const passwordHash = await hashPassword(password);
      const changed = await db.transaction(async (tx) => {
        const userId = await links.ownerOf(tx, 'reset-password', token);
        const user = userId && (await lockUserRow(tx, userId));
        // Two clicks at once: the second has waited for the first, which used the link.
        if (!user || !(await links.ownerOf(tx, 'reset-password', token))) throw notFound();
        return { userId: user.id, tell: await changePassword(tx, user, passwordHash) };
      });
      await finish(changed, from, 'by link');
    },
  };
}
