import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '#domain/clock.ts';
import { tooMany } from '#server/http/errors.ts';
import { networksOf } from '#server/http/network.ts';
import { allowanceBy, type Limit, limitBy } from '#server/http/rate-limits.ts';
import { normalEmail } from '../store.ts';

/** Mails that one network can have sent to one account: a person who waits out every countdown needs 6. */
const MAILS_BY_NETWORK = { max: 8, timeWindow: 15 * MINUTE };
/** Mails to one account, whoever asks. */
const MAILS = { max: 24, timeWindow: 15 * MINUTE };

/** The account a parsed body speaks of. */
function emailOf({ body }: FastifyRequest): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? normalEmail(email) : '';
}

/** Of a limit by account and network, what the network's whole neighbourhood may use on that account. */
const WIDE = 2;

/** Limits what one network may do to one account; its neighbourhood has a larger limit of the same kind. */
export function limitByAccountAndNetwork(app: FastifyInstance, limit: Limit) {
  const narrow = limitBy(app, limit, (request) => `${networksOf(request.ip).narrow} ${emailOf(request)}`);
  const wide = limitBy(app, { ...limit, max: limit.max * WIDE }, (request) => `${networksOf(request.ip).wide} ${emailOf(request)}`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await narrow(request, reply);
    await wide(request, reply);
  };
}

export interface MailLimits {
  /** Refuses a network that asks too often. */
  byNetwork(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * False when the account has had its mails. Not a reason to refuse whoever asks: strangers may have used them up, and
   * the owner, who has got them, must be able to go on to the code.
   */
  mayMail(request: FastifyRequest): Promise<boolean>;
  /** The same as a refusal, where there is nothing to go on to. */
  refuseByAccount(request: FastifyRequest): Promise<void>;
}

/** One count over all routes that mail codes. */
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
