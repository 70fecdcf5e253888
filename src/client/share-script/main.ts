import { shareAddress } from '#contract/share.ts';
import { receiveShare } from '../platform/shared/receive-share.ts';

// On the server's page for what was shared to a browser without the worker. The page has the form as the browser sent it.

async function receive(): Promise<void> {
  const form = document.querySelector<HTMLTextAreaElement>('textarea[data-type]');
  const type = form?.dataset.type ?? '';
  const bytes = Uint8Array.from(atob(form?.value ?? ''), (character) => character.charCodeAt(0));
  const problem = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .then(receiveShare)
    .catch(() => 'broken' as const);
  // Replaces the page, so that Back does not post again.
  location.replace(shareAddress(problem));
}

void receive();
