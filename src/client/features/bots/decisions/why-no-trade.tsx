import { useId, useState } from 'react';
import type { CandleDecision } from '#contract/bots/bot.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { SectionCard } from '../section-card.tsx';
import styles from './why-no-trade.module.css';

const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const time = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** A cell's text, its group in the summary, and its color. */
interface Kind {
  word: string;
  counted: string;
  tone?: 'up' | 'tide' | 'warn';
}

const KINDS: Record<string, Kind> = {
  entered: { word: 'Entry', counted: 'entered', tone: 'up' },
  position: { word: 'Held', counted: 'in a position', tone: 'tide' },
  trend: { word: 'Trend', counted: 'without a trend' },
  direction: { word: 'Candle', counted: 'against the trend' },
  away: { word: 'Level', counted: 'without a level in reach' },
  lost: { word: 'Level', counted: 'without a level in reach' },
  'no-level': { word: 'Level', counted: 'without a level in reach' },
  'warm-up': { word: 'Start', counted: 'before the first possible entry' },
  skipped: { word: 'Skip', counted: 'skipped', tone: 'warn' },
  off: { word: 'Off', counted: 'while the bot did not trade', tone: 'warn' },
  missing: { word: 'Gap', counted: 'not handled', tone: 'warn' },
};
const UNKNOWN: Kind = { word: '–', counted: 'other' };
const kindOf = (kind: string): Kind => KINDS[kind] ?? UNKNOWN;

/** Returns `12 without a trend, 3 in a position`, most frequent first. */
function countText(decisions: readonly CandleDecision[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of decisions) counts.set(kindOf(kind).counted, (counts.get(kindOf(kind).counted) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([words, count]) => `${count} ${words}`)
    .join(', ');
}

/** Shows for each of the latest candles why the bot entered no position, as a strip with one cell per candle. */
export function WhyNoTrade({ decisions }: { decisions: readonly CandleDecision[] }) {
  const group = useId();
  const [chosen, choose] = useState<string>();
  const shown = decisions.find(({ at }) => at === chosen) ?? decisions[0];
  if (!shown) {
    return (
      <SectionCard title="Why no trade?">
        <p className={styles.none}>The first reason shows when the next candle has closed.</p>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Why no trade?">
      <p className={styles.none}>
        The last {formatCount(decisions.length, 'candle')}: {countText(decisions)}.
      </p>
      <fieldset className={styles.strip}>
        <legend className="sr-only">Candles, newest first</legend>
        {decisions.map(({ at, kind }) => (
          <label key={at} className={styles.cell} data-tone={kindOf(kind).tone}>
            <input
              type="radio"
              className="sr-only"
              name={group}
              checked={at === shown.at}
              onChange={() => choose(at)}
              aria-label={`${time.format(Date.parse(at))}, ${kindOf(kind).word}`}
            />
            <span className={styles.word}>{kindOf(kind).word}</span>
            <span className={styles.hour}>{hour.format(Date.parse(at))}</span>
          </label>
        ))}
      </fieldset>
      <p aria-live="polite">
        <span className={styles.when}>
          <time dateTime={shown.at}>{time.format(Date.parse(shown.at))}</time>
          {shown.price !== null && `, closed at ${formatUsd(shown.price)}`}
        </span>{' '}
        {shown.text}
      </p>
    </SectionCard>
  );
}
