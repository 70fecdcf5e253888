import { call } from '#client/platform/api/call.ts';
import { isMissing } from '#client/platform/api/errors.ts';
import { type Passkey, passkeyAnswer, passkeysAnswer } from '#contract/account/passkeys.ts';
import { messageAnswer } from '#contract/envelope.ts';

const pathOf = ({ id }: Passkey): string => `/auth/passkeys/${encodeURIComponent(id)}/`;

/** Returns the user's passkeys, oldest first. Throws like `call`. */
export const readPasskeys = async (): Promise<Passkey[]> => (await call('/auth/passkeys/', { answer: passkeysAnswer })).data;

/** Renames a passkey. Throws like `call`. */
export const renamePasskey = async (passkey: Passkey, name: string): Promise<Passkey> =>
  (await call(pathOf(passkey), { method: 'PATCH', body: { name }, answer: passkeyAnswer })).data;

/** Removes a passkey. Succeeds if it is removed already. Throws like `call`. */
export async function removePasskey(passkey: Passkey): Promise<void> {
  try {
    await call(pathOf(passkey), { method: 'DELETE', answer: messageAnswer });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
