import { PRODUCT } from '#domain/product.ts';
import { greetingTo } from '#domain/shown-name.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import type { MessageRow } from './store.ts';

type Sender = Pick<MessageRow, 'kind' | 'name' | 'email' | 'message'>;

export const acknowledgement = (sender: Sender): Mail => (sender.kind === 'deletion' ? deletionTaken(sender) : messageTaken(sender));

const messageTaken = ({ email, name }: Sender): Mail => ({
  to: email,
  subject: `Your message to ${PRODUCT} support`,
  text: [
    greetingTo(name),
    '',
    `your message to ${PRODUCT} support has arrived. Somebody of our support team will read it and write to you.`,
    '',
  ].join('\n'),
});

const deletionTaken = ({ email, name }: Sender): Mail => ({
  to: email,
  subject: `Your request to delete your ${PRODUCT} account`,
  text: [
    greetingTo(name),
    '',
    `we have your request to delete your ${PRODUCT} account. Somebody of our support team will look at it and write to you.`,
    'Until then nothing changes: your account and what is in it stay as they are.',
    '',
    'If it was not you, set a new password and answer this message.',
    '',
  ].join('\n'),
});

export const replyLetter = ({ email, name, message }: Sender, reply: string): Mail => ({
  to: email,
  subject: `${PRODUCT} support has answered you`,
  text: [greetingTo(name), '', reply, '', 'You wrote:', '', ...message.split('\n').map((line) => `> ${line}`), ''].join('\n'),
});
