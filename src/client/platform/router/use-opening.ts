import { type MouseEvent, useState } from 'react';
import { afterFrame } from '../after-frame.ts';
import { history } from './history.ts';
import { isPlainClick } from './is-plain-click.ts';

/**
 * For a link to a page that takes longer than a tap should wait for its answer: the page opens behind the frame that marks the link.
 * Returns whether it is about to open, and the link's click handler.
 */
export function useOpening(href: string): [boolean, (event: MouseEvent) => void] {
  const [isOpening, setOpening] = useState(false);
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    event.stopPropagation(); // the router would open the page at once
    if (isOpening) return;
    setOpening(true);
    afterFrame(() => {
      setOpening(false);
      history.push(href);
    });
  };
  return [isOpening, open];
}
