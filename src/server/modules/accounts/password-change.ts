import { eq } from 'drizzle-orm';
import type { AfterResponse } from '#server/after-response.ts';
import type { Audit } from '#server/audit.ts';
import type { Tx } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import type { Notify } from '../notifications/service.ts';
import type { Grants } from './codes/grants.ts';
import type { Links } from './codes/links.ts';
import { passwordChangedLetter } from './mails.ts';
import { hasPasskeys } from './passkeys/passkeys.ts';
import { PASSWORD_CHANGED, PASSWORD_CHANGED_WITH_PASSKEYS } from './security-notices.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { UserRow } from './store.ts';

/** Sets a user's password, and ends all sessions except `keep`, codes and links. Call the returned function after the commit: it */
/** notifies the devices and mails the user. */
export type ChangePassword = (tx: Tx, user: UserRow, passwordHash: string, keep?: string) => Promise<() => void>;

export function createPasswordChange(options: {
  grants: Grants;
  links: Links;
  sessions: Sessions;
  mail: MailPort;
  afterResponse: AfterResponse;
  notify: Notify;
  audit: Audit;
  publicUrl: string;
}): ChangePassword {
  const { grants, links, sessions, mail, afterResponse, notify, audit } = options;
  return async (tx, user, passwordHash, keep) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await grants.drop(tx, user.id);
    await links.spendAll(tx, user.id);
    const ended = await sessions.endAll(tx, user.id, keep);
    const keepsPasskeys = await hasPasskeys(tx, user.id);
    const show = await notify(tx, user.id, keepsPasskeys ? PASSWORD_CHANGED_WITH_PASSKEYS : PASSWORD_CHANGED);
    return () => {
      audit.note('password-changed', { userId: user.id });
      sessions.tellEnded(user.id, ended);
      show();
      afterResponse.run(() => mail.send(passwordChangedLetter(user.email, user.firstName, options.publicUrl, keepsPasskeys)));
    };
  };
}
