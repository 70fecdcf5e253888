import { isKeptPage } from '../src/client/platform/first-screen/kept-pages.ts';
import { withFirstScreen } from './first-screens.ts';
import { readFile, SHELL } from './precache.ts';

/** Answers a navigation to a page of the app. */
export function answerNavigation({ request }: FetchEvent): Promise<Response> {
  const shell = readFile(SHELL);
  const url = new URL(request.url);
  // A frame has a first screen of its own.
  return request.destination === 'document' && isKeptPage(url) ? withFirstScreen(shell, url.pathname + url.search) : shell;
}
