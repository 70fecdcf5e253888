import type { Tx } from '#server/db/open.ts';
import type { Networks } from '#server/http/network.ts';
import { passkeyAddedLetter, passkeyRemovedLetter } from '../mails.ts';
import { PASSKEY_ADDED, PASSKEY_REMOVED } from '../security-notices.ts';
import type { UserRow } from '../store.ts';
import type { PasskeyParts } from './use-passkey.ts';

const NEWS = {
  added: { notice: PASSKEY_ADDED, letter: passkeyAddedLetter },
  removed: { notice: PASSKEY_REMOVED, letter: passkeyRemovedLetter },
};

interface Change {
  user: UserRow;
  change: keyof typeof NEWS;
  /** Of the passkey. */
  name: string;
  from: Networks;
}

/** Notifies and mails the user of a change. Call the returned function after the commit. */
export async function announceChange(parts: PasskeyParts, tx: Tx, { user, change, name, from }: Change): Promise<() => void> {
  const { notify, audit, afterResponse, mail, publicUrl } = parts;
  const show = await notify(tx, user.id, NEWS[change].notice);
  return () => {
    audit.note(`passkey-${change}`, { userId: user.id, network: from.wide });
    show();
    afterResponse.run(() => mail.send(NEWS[change].letter(user.email, user.firstName, name, publicUrl)));
  };
}
