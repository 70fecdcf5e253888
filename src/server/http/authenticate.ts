import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthorized } from './errors.ts';

/** Who sends a request: taken from the access token, never from the path or the body. */
export interface Identity {
  userId: string;
  sessionId: string;
  /** When the access token ends, ms since 1970. */
  expiresAt: number;
}

/** Reads an access token; throws the 401 problem for one that is wrong, expired or of an ended session. */
export type Authenticate = (accessToken: string) => Promise<Identity>;

/** Throws the 403 that asks for the password, unless it was given in this session a short while ago. */
export type DemandProof = (identity: Identity) => Promise<void>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every route that is not `public`; read it through `identityOf`. */
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** Answers without a token. Every other API route asks for one. */
    public?: boolean;
  }
}

/** The sender of a request to a route that asks for a token. */
export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw unauthorized();
  return request.identity;
}

/** Makes every route of this scope ask for a bearer token, unless its config says `public`. */
export function requireToken(scope: FastifyInstance, authenticate: Authenticate): void {
  scope.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.public) return;
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw unauthorized();
    request.identity = await authenticate(token);
  });
}
