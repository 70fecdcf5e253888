import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '#domain/clock.ts';
import { tooMany } from '#server/http/errors.ts';
import { networksOf } from '#server/http/network.ts';
import { allowanceBy, limitBy, type NamedLimit } from '#server/http/rate-limits.ts';
import { normalEmail } from '../store.ts';

/** Mails to one account that one network may request. A user who waits out every countdown needs 6. */
const MAILS_BY_NETWORK = { name: 'mailed codes by network', max: 8, timeWindow: 15 * MINUTE };
/** Mails to one account from all networks. */
const MAILS = { name: 'mailed codes', max: 24, timeWindow: 15 * MINUTE };

/** Returns the account that a parsed body names. */
function emailOf({ body }: FastifyRequest): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? normalEmail(email) : '';
}

/** Factor for the network's whole neighborhood. */
const WIDE = 2;

/** Limits what one network and its neighborhood may do to one account. */
export function limitByAccountAndNetwork(app: FastifyInstance, limit: NamedLimit) {
  const narrow = limitBy(app, limit, (request) => `${networksOf(request.ip).narrow} ${emailOf(request)}`);
  const neighborhood = { ...limit, name: `${limit.name}, neighborhood`, max: limit.max * WIDE };
  const wide = limitBy(app, neighborhood, (request) => `${networksOf(request.ip).wide} ${emailOf(request)}`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await narrow(request, reply);
    await wide(request, reply);
  };
}

export interface MailLimits {
  /** Refuses a network with too many requests. */
  byNetwork(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Returns whether the account may get another mail. Do not refuse the request: a stranger may have used the mails up, and the */
  /** owner must still reach the code form. */
  mayMail(request: FastifyRequest): Promise<boolean>;
  /** Refuses the request when the account may get no more mails. */
  refuseByAccount(request: FastifyRequest): Promise<void>;
}

/** Creates limits that all routes that mail codes share. */
export function createMailLimits(app: FastifyInstance): MailLimits {
  const mayMail = allowanceBy(app, MAILS, emailOf);
  return {
    byNetwork: limitByAccountAndNetwork(app, MAILS_BY_NETWORK),
    mayMail,
    async refuseByAccount(request) {
      if (!(await mayMail(request))) throw tooMany();
    },
  };
}
