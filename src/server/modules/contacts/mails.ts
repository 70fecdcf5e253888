import { PRODUCT } from '#domain/product.ts';
import { greetingTo } from '#domain/shown-name.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import type { MessageRow } from './store.ts';

type Sender = Pick<MessageRow, 'kind' | 'name' | 'email' | 'message'>;

export const acknowledgement = (sender: Sender): Mail => (sender.kind === 'deletion' ? deletionReceived(sender) : messageReceived(sender));

const messageReceived = ({ email, name }: Sender): Mail => ({
  to: email,
  subject: `Your message to ${PRODUCT} support`,
  text: [greetingTo(name), '', `We received your message to ${PRODUCT} support. Our support team will reply by email.`, ''].join('\n'),
});

const deletionReceived = ({ email, name }: Sender): Mail => ({
  to: email,
  subject: `Your request to delete your ${PRODUCT} account`,
  text: [
    greetingTo(name),
    '',
    `We received your request to delete your ${PRODUCT} account. Our support team will reply by email.`,
    'Until then, your account and its data stay unchanged.',
    '',
    'If this was not you, set a new password and reply to this message.',
    '',
  ].join('\n'),
});

export const replyMail = ({ email, name, message }: Sender, reply: string): Mail => ({
  to: email,
  subject: `${PRODUCT} support replied to you`,
  text: [greetingTo(name), '', reply, '', 'You wrote:', '', ...message.split('\n').map((line) => `> ${line}`), ''].join('\n'),
});
