import type { ResetPasswordBody, VerifyOtpBody } from '../../../../contract/account';
import type { Db } from '../../../db/open';
import { badRequest, notFound } from '../../../http/errors';
import type { ChangePassword } from '../password-change';
import { hashPassword } from '../passwords';
import { lockUser, lockUserByEmail, normalEmail } from '../store';
import type { Codes } from './codes';
import type { Grants } from './grants';
import type { MailedCodes } from './mailed-codes';

/** From a forgotten password to a new one. */
export interface Recovery {
  /** Returns at once and says nothing of whether the account exists; the mail follows. */
  forgotPassword(email: string): void;
  /** Trades a right code for a grant. */
  verifyCode(body: VerifyOtpBody): Promise<string>;
  /** Sets the password for a grant, which is spent by it. 400 for one that is wrong, spent or too old. */
  resetPassword(body: ResetPasswordBody): Promise<void>;
  /** 404 for a mailed link that is unknown, spent or too old. */
  checkLink(token: string): Promise<void>;
  /** Sets the password for a mailed link, which is spent by it; 404 as above. */
  resetByLink(token: string, password: string): Promise<void>;
}

export function createRecovery(options: {
  db: Db;
  codes: Codes;
  grants: Grants;
  mailedCodes: MailedCodes;
  changePassword: ChangePassword;
}): Recovery {
  const { db, codes, grants, mailedCodes, changePassword } = options;

  async function checkLink(token: string): Promise<void> {
    if (!(await db.transaction((tx) => codes.userOfLink(tx, 'reset-password', token)))) throw lost();
  }

  return {
    forgotPassword: (email) => mailedCodes.request(email, 'reset-password'),

    verifyCode: (body) => mailedCodes.redeem(body, 'reset-password', (tx, user) => grants.issue(tx, user.id)),

    async resetPassword(body) {
      // Before the grant is looked at: an address without an account takes as long as any other.
      const passwordHash = await hashPassword(body.newPassword);
      const tell = await db.transaction(async (tx) => {
        const user = await lockUserByEmail(tx, normalEmail(body.email));
        if (!user || !(await grants.spend(tx, user.id, body.recoveryCode))) return null;
        return changePassword(tx, user, passwordHash);
      });
      if (!tell) throw badRequest('grant_invalid', 'This password reset is not valid any more. Please start again.');
      tell();
    },

    checkLink,

    async resetByLink(token, password) {
      await checkLink(token);
      const passwordHash = await hashPassword(password);
      const tell = await db.transaction(async (tx) => {
        const userId = await codes.userOfLink(tx, 'reset-password', token);
        const user = userId && (await lockUser(tx, userId));
        // Two clicks at once: the second has waited for the first, which spent the link.
        if (!user || !(await codes.userOfLink(tx, 'reset-password', token))) throw lost();
        return changePassword(tx, user, passwordHash);
      });
      tell();
    },
  };
}

const lost = () => notFound('This link is not valid any more.');
