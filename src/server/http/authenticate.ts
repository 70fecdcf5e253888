import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthorized } from './errors.ts';

/** The sender of a request, taken from the access token and never from the path or the body. */
export interface Identity {
  userId: string;
  sessionId: string;
  /** When the access token expires, ms since 1970. */
  expiresAt: number;
}

/** Reads an access token. Throws 401 when it is invalid or expired, or its session has ended. */
export type Authenticate = (accessToken: string) => Promise<Identity>;

/** Throws the 403 that asks for the password, unless the session confirmed it recently. */
export type DemandProof = (identity: Identity) => Promise<void>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that is not `public`. Read it with `identityOf`. */
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** Needs no token. All other API routes do. */
    public?: boolean;
  }
}

/** Returns the sender of a request to a route that needs a token. */
export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw unauthorized();
  return request.identity;
}

/** Makes every route of this scope need a bearer token, unless its config is `public`. */
export function requireToken(scope: FastifyInstance, authenticate: Authenticate): void {
  scope.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.public) return;
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw unauthorized();
    request.identity = await authenticate(token);
  });
}
