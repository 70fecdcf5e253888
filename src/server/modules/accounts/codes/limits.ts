import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '../../../../domain/clock';
import { tooMany } from '../../../http/errors';
import { networkOf } from '../../../http/network';
import { allowanceBy, limitBy } from '../../../http/rate-limits';
import { normalEmail } from '../store';

/** Mails that one network can have sent to one account: a person who waits out every countdown needs 6. */
const MAILS_BY_NETWORK = { max: 8, timeWindow: 15 * MINUTE };
/** Mails to one account, whoever asks. */
const MAILS = { max: 24, timeWindow: 15 * MINUTE };

/** The account a parsed body speaks of. */
function emailOf({ body }: FastifyRequest): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return normalEmail(String(email));
}

export const accountAndNetwork = (request: FastifyRequest) => `${networkOf(request.ip)} ${emailOf(request)}`;

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
    byNetwork: limitBy(app, MAILS_BY_NETWORK, accountAndNetwork),
    mayMail,
    async refuseByAccount(request) {
      if (!(await mayMail(request))) throw tooMany();
    },
  };
}
