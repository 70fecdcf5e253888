import { MINUTE } from '../clock.ts';

const MINUTES_OF_DAY = 24 * 60;
/** Steps to the end of quiet hours across a change of the clocks, minutes. All time zones change by a multiple of it. */
const STEP = 15;
/** More steps than a day has. */
const MAX_STEPS = 200;

export interface QuietHours {
  /** Start and end, minutes of the day. An end before the start is on the next day. */
  from: number;
  to: number;
  /** IANA name. */
  timeZone: string;
}

/** Returns the end of the quiet hours that contain a time, or null outside of them. Times in ms. */
export function quietEnd(hours: QuietHours, now: number): number | null {
  const minuteOf = minutesIn(hours.timeZone);
  const isQuiet = (time: number) => contains(hours, minuteOf(time));
  if (!isQuiet(now)) return null;
  const start = now - (now % MINUTE);
  let time = start;
  for (let step = 0; step < MAX_STEPS && isQuiet(time); step++) {
    const left = (hours.to - minuteOf(time) + MINUTES_OF_DAY) % MINUTES_OF_DAY;
    const end = time + left * MINUTE;
    if (minuteOf(end) === hours.to) return end;
    // The clocks change on the way.
    time += STEP * MINUTE;
  }
  // The last step may have passed the end.
  while (time - MINUTE > start && !isQuiet(time - MINUTE)) time -= MINUTE;
  return time;
}

const contains = ({ from, to }: QuietHours, minute: number): boolean =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to;

/** Returns a function that tells the minute of the day in a time zone. */
function minutesIn(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' });
  return (time) => {
    const parts = format.formatToParts(time);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return read('hour') * 60 + read('minute');
  };
}
