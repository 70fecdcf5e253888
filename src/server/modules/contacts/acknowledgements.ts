import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import type { Db } from '#server/db/open.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import { acknowledgement } from './mails.ts';
import { claimUnacknowledged, type MessageRow, setAcknowledged } from './store.ts';

/** Retry delay of an acknowledgement that was not mailed because the mail or the server failed, ms. */
const AGAIN_AFTER = 5 * MINUTE;
/** Age at which an acknowledgement is given up, ms. */
const GIVEN_UP_AFTER = 3 * DAY;

type Acknowledged = Pick<MessageRow, 'id' | 'kind' | 'name' | 'email' | 'message'>;

interface Acknowledgements {
  /** Mails the sender after the response. */
  send(message: Acknowledged): void;
  /** Mails overdue acknowledgements. After a crash, one may be mailed twice, but none is lost. */
  sendLate(): Promise<void>;
}

interface Parts {
  db: Db;
  clock: Clock;
  mail: MailPort;
  afterResponse: AfterResponse;
}

/** Returns when to mail the acknowledgement of a message again. `now`: ms UTC. */
export const nextAcknowledgement = (now: number) => new Date(now + AGAIN_AFTER);

export function createAcknowledgements({ db, clock, mail, afterResponse }: Parts): Acknowledgements {
  const send = (message: Acknowledged) =>
    afterResponse.run(async () => {
      await mail.send(acknowledgement(message));
      await setAcknowledged(db, message.id);
    });

  return {
    send,

    async sendLate() {
      const now = clock();
      for (const message of await claimUnacknowledged(db, new Date(now), nextAcknowledgement(now))) {
        if (now - message.createdAt.getTime() < GIVEN_UP_AFTER) send(message);
        else await setAcknowledged(db, message.id);
      }
    },
  };
}
