import { useEffect } from 'react';
import { history } from './history.ts';

/** Replaces the current entry, so that back does not return to the page that sent us away. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => history.replace(to), [to]);
  return null;
}
