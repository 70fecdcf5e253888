import { type PointerEvent, useId, useState } from 'react';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import type { BotReport } from '#contract/bots/bot.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import styles from './equity-curve.module.css';
import { type CurvePoint, equityPath } from './equity-path.ts';

interface EquityCurveProps {
  points: BotReport['equity'];
  /** USD at the start, drawn as the baseline. */
  start: number;
  /** A second curve with points at the same times. */
  beside?: { name: string; points: BotReport['equity'] };
}

/** Draws a bot's equity over time. The caption shows the value under the pointer; the label describes the whole curve. */
export function EquityCurve({ points, start, beside }: EquityCurveProps) {
  const fade = useId();
  const { amount } = useAmounts();
  const [pointed, setPointed] = useState<CurvePoint>();
  const curve = equityPath(points, start, beside?.points);
  if (!curve) return <p className={styles.none}>The equity curve starts with the first closed candle.</p>;
  const { last, high, low } = curve;

  const besideOf = (at: CurvePoint) =>
    `${amount(at.equity)}${beside && at.beside !== undefined ? `, ${beside.name.toLowerCase()} ${amount(at.beside)}` : ''}`;
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(curve.nearest((event.clientX - left) / width));
  };

  return (
    <figure className={styles.figure} data-tone={last.equity < start ? 'down' : 'up'}>
      <figcaption className={styles.caption} aria-live="off">
        {pointed ? `${formatDateTime(pointed.at)}: ${besideOf(pointed)}` : `Low ${amount(low)}, high ${amount(high)}`}
      </figcaption>
      <div className={styles.box} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <svg
          className={styles.curve}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`Equity from ${formatDateTime(curve.first.at)} to ${formatDateTime(last.at)}: ${besideOf(last)} ${beside ? 'at the end' : 'now'}, low ${amount(low)}, high ${amount(high)}.`}
        >
          <linearGradient id={fade} x1="0" y1="0" x2="0" y2="1">
            <stop className={styles.shade} offset="0" />
            <stop className={styles.clear} offset="1" />
          </linearGradient>
          <path d={`${curve.line}V100H0Z`} fill={`url(#${fade})`} />
          <path className={styles.start} d={`M0 ${curve.startY}H100`} />
          {curve.besideLine && <path className={styles.beside} d={curve.besideLine} />}
          <path className={styles.line} d={curve.line} />
        </svg>
        {pointed && <span className={styles.dot} style={{ left: `${pointed.x}%`, top: `${pointed.y}%` }} />}
      </div>
      <p className={styles.ends}>
        <time dateTime={new Date(curve.first.at).toISOString()}>{formatDateTime(curve.first.at)}</time>
        <time dateTime={new Date(last.at).toISOString()}>{formatDateTime(last.at)}</time>
      </p>
      {beside && (
        <p className={styles.legend}>
          <span className={styles.own}>Strategy</span> <span className={styles.other}>{beside.name}</span>
        </p>
      )}
    </figure>
  );
}
