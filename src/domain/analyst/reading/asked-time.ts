import { DAY } from '#domain/clock.ts';

/** A day in the past: so many days ago, or a date whose year may be open. Months and days count from 1. */
export type When = { daysAgo: number } | { year?: number; month: number; day: number };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
/** A number before its unit. "And" is no day. */
const NUMBER = `(?:(\\d{1,4})[- ]?|(an?|${NUMBERS.join('|')})[- ])`;
const UNIT_DAYS = { d: 1, w: 7, m: 30, q: 91, y: 365 };

const AGO = new RegExp(`\\b${NUMBER}(d|days?|w|weeks?|mo|months?|y|years?)\\b ago\\b`);
const HALF_A_YEAR = /\bhalf an? year ago\b/;
const HOLIDAYS: readonly { name: RegExp; month: number; day: number }[] = [
  { name: /\b(christmas|xmas)\b(?: day)?(?: (20\d\d)\b)?/, month: 12, day: 25 },
  { name: /\bnew year'?s eve\b(?: (20\d\d)\b)?/, month: 12, day: 31 },
  { name: /\bnew year'?s?( day)?\b(?: (20\d\d)\b)?/, month: 1, day: 1 },
  { name: /\bvalentine'?s( day)?\b(?: (20\d\d)\b)?/, month: 2, day: 14 },
  { name: /\bhalloween\b(?: (20\d\d)\b)?/, month: 10, day: 31 },
];
const LAST = /\blast (week|month|year)\b/;
const ISO = /\b(20\d\d)-(\d{1,2})-(\d{1,2})\b/;
const MONTH_DAY = new RegExp(`\\b(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (20\\d\\d)\\b)?`);
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?(${MONTH})\\b(?:,? (20\\d\\d)\\b)?`);
const IN_MONTH = new RegExp(`\\b(?:in|since|from) (${MONTH})\\b(?: (20\\d\\d)\\b)?`);
const IN_YEAR = /\b(?:in|since|from) (20\d\d)\b/;

/** Finds the day that a folded question names: "3 weeks ago", "last month", "on March 3", "2026-03-03", "in 2021". */
export function askedWhen(folded: string): When | undefined {
  if (HALF_A_YEAR.test(folded)) return { daysAgo: 182 };
  const ago = AGO.exec(folded);
  if (ago) return { daysAgo: countOf(ago[1] ?? ago[2]) * daysOf(ago[3]) };
  const last = LAST.exec(folded);
  if (last) return { daysAgo: daysOf(last[1]) };
  if (/\byesterday\b/.test(folded)) return { daysAgo: 1 };
  const iso = ISO.exec(folded);
  if (iso) return dateOf(iso[1], Number(iso[2]), iso[3]);
  const monthDay = MONTH_DAY.exec(folded);
  if (monthDay) return dateOf(monthDay[3], monthOf(monthDay[1]), monthDay[2]);
  const dayMonth = DAY_MONTH.exec(folded);
  if (dayMonth) return dateOf(dayMonth[3], monthOf(dayMonth[2]), dayMonth[1]);
  for (const { name, month, day } of HOLIDAYS) {
    const holiday = name.exec(folded);
    if (holiday) return dateOf(holiday.at(-1), month, String(day));
  }
  const month = IN_MONTH.exec(folded);
  if (month) return dateOf(month[2], monthOf(month[1]), '1');
  const year = IN_YEAR.exec(folded);
  return year ? dateOf(year[1], 1, '1') : undefined;
}

const SPAN = new RegExp(`\\b${NUMBER}(d|days?|w|weeks?|mo|months?|y|years?)\\b`);
const NAMED_SPAN = /\b(daily|week(?:ly)?|month(?:ly)?|quarter(?:ly)?|year(?:ly)?|annual)\b/;

/** Finds over how many days a folded question asks; infinite for all time. */
export function askedSpan(folded: string): number | undefined {
  if (/\b(all[- ]time|ath|atl|ever)\b/.test(folded)) return Number.POSITIVE_INFINITY;
  const span = SPAN.exec(folded);
  if (span) return countOf(span[1] ?? span[2]) * daysOf(span[3]) || undefined;
  const named = NAMED_SPAN.exec(folded);
  return named ? daysOf(named[1] === 'annual' ? 'year' : named[1]) : undefined;
}

/** Returns the day that `when` names as the start of a UTC day in ms: the last such date before `now`. Undefined for an impossible date. */
export function dayOfWhen(when: When, now: number): number | undefined {
  if ('daysAgo' in when) return Math.floor((now - when.daysAgo * DAY) / DAY) * DAY;
  const { month, day } = when;
  const thisYear = new Date(now).getUTCFullYear();
  const startOf = (year: number) => Date.UTC(year, month - 1, day);
  const time = startOf(when.year ?? (startOf(thisYear) <= now ? thisYear : thisYear - 1));
  return new Date(time).getUTCDate() === day && time <= now ? time : undefined;
}

const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3)) + 1;
const daysOf = (unit = 'd'): number => UNIT_DAYS[unit.charAt(0) as keyof typeof UNIT_DAYS];

function countOf(word = ''): number {
  if (/^\d/.test(word)) return Number(word);
  return Math.max(1, NUMBERS.indexOf(word));
}

const dateOf = (year: string | undefined, month: number, day = '1'): When => ({
  ...(year !== undefined && { year: Number(year) }),
  month,
  day: Number(day),
});
