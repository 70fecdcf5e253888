import { creationOptionsAnswer, type Passkey, passkeyAnswer, passkeysAnswer, requestOptionsAnswer } from '#contract/account/passkeys.ts';
import type { TestServer } from '../server/server.ts';
import { type Changes, type SoftwareAuthenticator, softwareAuthenticator, type UsedJson } from './software-authenticator.ts';

interface Answer {
  status: number;
  body: { code?: string; data?: unknown };
}

/** Calls the passkey routes of a server, from another network each time unless `from` names one. */
export function passkeyCaller(server: TestServer) {
  let networks = 0;
  const call = async (
    method: string,
    path: string,
    { as, body, from }: { as?: string; body?: unknown; from?: string } = {},
  ): Promise<Answer> => {
    networks++;
    const response = await fetch(`${server.url}/api/auth/passkeys${path}`, {
      method,
      headers: {
        'x-forwarded-for': from ?? `10.${networks >> 8}.${networks & 255}.1`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/143.0.0.0 Safari/537.36',
        ...(as && { authorization: as }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };

  const creationOptions = async (as: string) => creationOptionsAnswer.parse((await call('POST', '/options', { as })).body).data;
  const signInOptions = async () => requestOptionsAnswer.parse((await call('POST', '/sign-in-options')).body).data;

  return {
    call,
    creationOptions,
    signInOptions,
    list: async (as: string): Promise<Passkey[]> => passkeysAnswer.parse((await call('GET', '', { as })).body).data,

    /** Adds a new authenticator's passkey. */
    async add(as: string, options: { counts?: boolean } = {}): Promise<{ authenticator: SoftwareAuthenticator; passkey: Passkey }> {
      const authenticator = softwareAuthenticator(server.config.publicUrl, options);
      const credential = authenticator.create(await creationOptions(as));
      const { body } = await call('POST', '', { as, body: { credential } });
      return { authenticator, passkey: passkeyAnswer.parse(body).data };
    },

    signIn: async (authenticator: SoftwareAuthenticator, changes: Changes = {}): Promise<Answer> =>
      call('POST', '/sign-in', { body: { credential: authenticator.get(await signInOptions(), changes) } }),

    send: (credential: UsedJson, from?: string): Promise<Answer> =>
      call('POST', '/sign-in', { body: { credential }, ...(from && { from }) }),

    async confirmation(as: string, authenticator: SoftwareAuthenticator): Promise<UsedJson> {
      const options = (await call('POST', '/confirm-options', { as })).body.data as { challenge: string; rpId: string };
      return authenticator.get(options);
    },
  };
}
