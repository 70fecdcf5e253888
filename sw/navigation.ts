import { readFile, SHELL } from './precache.ts';

/** Answers a navigation to a page of the app. */
export function answerNavigation(_event: FetchEvent): Promise<Response> {
  return readFile(SHELL);
}
