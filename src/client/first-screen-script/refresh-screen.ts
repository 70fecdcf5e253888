import { formatDateTime, formatDay } from '#domain/format/format-date.ts';
import { isSameDay } from '#domain/format/format-time.ts';
import { formatAge } from '../ui/labels/format-age.ts';

/** Writes into a stored screen what its markup can't hold, and what has changed since it was stored. Then it may show. */
export function refreshScreen(screen: HTMLElement): void {
  for (const { style, dataset } of screen.querySelectorAll<HTMLElement>('[data-hue]')) {
    style.setProperty('--size', `${dataset.size}px`);
    style.setProperty('--hue', dataset.hue ?? '');
  }
  for (const stamp of screen.querySelectorAll<HTMLElement>('[data-saved-at]')) {
    stamp.textContent = `Saved ${formatAge(Number(stamp.dataset.savedAt), Date.now())}`;
  }
  const storedAt = Number(screen.dataset.storedAt);
  for (const time of screen.querySelectorAll<HTMLTimeElement>('time[datetime]')) writeDate(time, storedAt);
  screen.dataset.ready = '';
}

/** Adds the date to a time without one, which was of the day that the screen was stored. */
function writeDate(time: HTMLTimeElement, storedAt: number): void {
  const at = Date.parse(time.dateTime);
  if (isSameDay(at, Date.now()) || !isSameDay(at, storedAt)) return;
  time.textContent = time.textContent.startsWith('Today') ? formatDay(at) : formatDateTime(at);
}
