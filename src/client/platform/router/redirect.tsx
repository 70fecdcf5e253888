import { useEffect } from 'react';
import { history } from './history.ts';

/** Redirects by replacing the history entry, so that back does not return to the redirecting page. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => history.replace(to), [to]);
  return null;
}
