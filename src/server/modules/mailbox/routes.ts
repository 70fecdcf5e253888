import type { FastifyInstance } from 'fastify';
import { MAILBOX_PATH } from '#contract/paths.ts';
import { notFound } from '#server/http/errors.ts';
import { html, sendPage } from '#server/http/html.ts';
import { isFromThisMachine } from '#server/http/this-machine.ts';
import { type Message, readMessages } from './messages.ts';

/** Serves the file outbox as a page on this machine. Registered only while `PUBLIC_URL` is loopback. */
export function mailboxRoutes(app: FastifyInstance, { directory }: { directory: string }): void {
  app.get(MAILBOX_PATH, async (request, reply) => {
    if (!isFromThisMachine(request)) throw notFound();
    const messages = await readMessages(directory);
    const list = messages.length > 0 ? html`<ol>${messages.map(item)}</ol>` : html`<p>No messages yet.</p>`;
    const note = html`<p>No mail server is set up, so messages are stored on this machine. <a href="">Refresh</a></p>`;
    return sendPage(reply, 200, 'Mailbox', html`${note}${list}`);
  });
}

function item({ to, subject, date, text }: Message) {
  const code = text.match(/^\d{4}$/m)?.[0];
  const link = text.match(/^https?:\/\/\S+$/m)?.[0];
  return html`<li>
    <h2>${subject}</h2>
    <p>To ${to} · <time datetime="${date}">${date.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time></p>
    ${code ? html`<p class="code">${code}</p>` : ''}
    <pre>${text}</pre>
    ${link ? html`<p><a href="${link}">Open the link</a></p>` : ''}
  </li>`;
}
