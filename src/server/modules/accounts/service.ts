import type { LoginBody, RegisterBody, Tokens, User, VerifyOtpBody } from '../../../contract/account';
import { MESSAGES } from '../../../contract/account-rules';
import { API_PREFIX } from '../../../contract/paths';
import type { Clock } from '../../../domain/clock';
import type { Db, Tx } from '../../db/open';
import { badRequest, notFound, Problem } from '../../http/errors';
import type { Mail, MailPort } from '../../ports/mail/mail';
import { type CodeResult, createCodes } from './codes';
import { codeLetter, linkLetter, verifiedLetter } from './letters';
import { hashPassword, passwordMatches } from './passwords';
import { profileOf } from './profile';
import type { Sessions } from './sessions';
import { findUser, findUserByEmail, insertOrReplaceUnverified, lockUserByEmail, setVerified, type UserRow } from './store';

/** Characters that have a meaning of their own where mail addresses are listed; spec §5's pattern lets them through. */
const LIST_CHARACTERS = /[<>()[\],;:\\"]/;

type Refusal = [code: string, message: string];
const BLOCKED: Refusal = ['code_blocked', 'Too many wrong codes today. We mailed you a link to verify your address instead.'];
const CODE_REFUSALS: Record<Exclude<CodeResult, 'right'>, Refusal> = {
  wrong: ['code_wrong', 'The code is not correct.'],
  expired: ['code_expired', 'The code has expired. Please request a new one.'],
  locked: ['code_locked', 'Too many wrong tries. Please request a new code.'],
  'used-up': BLOCKED,
  blocked: BLOCKED,
};

export interface Accounts {
  register(body: RegisterBody): Promise<{ id: string; email: string }>;
  login(body: LoginBody): Promise<Tokens>;
  verifyOtp(body: VerifyOtpBody): Promise<void>;
  /** Returns at once and says nothing of whether the account exists; the mail follows. */
  resendCode(email: string): void;
  /** Verifies the address that a mailed link stands for; 404 for a link that is unknown or too old. */
  verifyLink(token: string): Promise<void>;
  profile(userId: string): Promise<User>;
  /** Resolves when no mail is on its way. */
  settled(): Promise<void>;
}

export function createAccounts(options: {
  db: Db;
  clock: Clock;
  mail: MailPort;
  sessions: Sessions;
  secretsKey: string;
  publicUrl: string;
  report: (error: unknown) => void;
}): Accounts {
  const { db, clock, mail, sessions, publicUrl } = options;
  const codes = createCodes({ clock, secretsKey: options.secretsKey });
  const underway = new Set<Promise<unknown>>();

  /** Work that the caller must not be able to time or wait for. */
  function later(work: Promise<unknown>): void {
    const done = work.catch(options.report).finally(() => underway.delete(done));
    underway.add(done);
  }

  async function linkFor(tx: Tx, user: UserRow): Promise<Mail> {
    const token = await codes.issueLink(tx, user.id);
    return linkLetter(user.email, user.firstName, `${publicUrl}${API_PREFIX}/auth/verify-link/${token}`);
  }

  async function letterFor(tx: Tx, user: UserRow): Promise<Mail> {
    const code = await codes.issue(tx, user.id);
    return code === null ? linkFor(tx, user) : codeLetter(user.email, user.firstName, code);
  }

  async function sendCodeAgain(email: string): Promise<void> {
    const letter = await db.transaction(async (tx) => {
      const user = await lockUserByEmail(tx, email);
      if (!user) return null;
      return user.verifiedAt ? verifiedLetter(user.email, user.firstName) : letterFor(tx, user);
    });
    if (letter) await mail.send(letter);
  }

  return {
    async register(body) {
      const email = normal(body.email);
      if (LIST_CHARACTERS.test(email)) throw badRequest('validation', MESSAGES.emailFormat, { fields: { email: MESSAGES.emailFormat } });
      const passwordHash = await hashPassword(body.password);
      const { user, letter } = await db.transaction(async (tx) => {
        const row = { email, firstName: body.first_name, lastName: body.last_name, country: body.country.toLowerCase(), passwordHash };
        const stored = await insertOrReplaceUnverified(tx, { ...row, createdAt: new Date(clock()) });
        if (!stored) throw badRequest('email_taken', 'An account with this email already exists. Please log in instead.');
        return { user: stored, letter: await letterFor(tx, stored) };
      });
      await mail.send(letter).catch((error: unknown) => {
        options.report(error);
        throw new Problem(503, 'mail_unavailable', 'We could not send you the code. Please try again in a moment.');
      });
      return { id: user.id, email: user.email };
    },

    async login(body) {
      const user = await findUserByEmail(db, normal(body.email));
      if (!(await passwordMatches(body.password, user?.passwordHash)) || !user) {
        throw badRequest('invalid_credentials', 'Invalid email or password', { isVerified: 1 });
      }
      if (!user.verifiedAt) throw badRequest('not_verified', 'Please verify your email address first.', { isVerified: 2 });
      return db.transaction((tx) => sessions.open(tx, user));
    },

    async verifyOtp(body) {
      // A wrong try must be stored, so the refusal is thrown after the transaction.
      const { result, letter } = await db.transaction(async (tx): Promise<{ result: CodeResult; letter?: Mail }> => {
        const user = await lockUserByEmail(tx, normal(body.email));
        if (!user) return { result: 'wrong' };
        const result = await codes.check(tx, user.id, body.recoveryCode);
        if (result === 'right') await setVerified(tx, user.id, new Date(clock()));
        return result === 'used-up' && !user.verifiedAt ? { result, letter: await linkFor(tx, user) } : { result };
      });
      if (result === 'right') return;
      if (letter) later(mail.send(letter));
      throw badRequest(...CODE_REFUSALS[result]);
    },

    resendCode: (email) => later(sendCodeAgain(normal(email))),

    async verifyLink(token) {
      const userId = await db.transaction(async (tx) => {
        const id = await codes.userOfLink(tx, token);
        if (id) await setVerified(tx, id, new Date(clock()));
        return id;
      });
      if (!userId) throw notFound('This link is not valid any more.');
    },

    async profile(userId) {
      const user = await findUser(db, userId);
      if (!user) throw notFound();
      return profileOf(user);
    },

    async settled() {
      await Promise.all(underway);
    },
  };
}

const normal = (email: string) => email.trim().toLowerCase();
