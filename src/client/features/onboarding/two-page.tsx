import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { accent, dashed, faint, ground, onSolid, Picture, soft, solid } from './picture.tsx';
import { Slide } from './slide.tsx';

/** Position, wick and body of each candle. Rising ones are filled. */
const CANDLES = [
  { x: 62, high: 132, low: 184, top: 144, bottom: 172, up: false },
  { x: 90, high: 140, low: 192, top: 152, bottom: 182, up: true },
  { x: 118, high: 118, low: 170, top: 128, bottom: 156, up: true },
  { x: 146, high: 112, low: 162, top: 124, bottom: 148, up: false },
  { x: 174, high: 96, low: 156, top: 106, bottom: 142, up: true },
  { x: 202, high: 82, low: 128, top: 92, bottom: 112, up: true },
  { x: 230, high: 66, low: 118, top: 76, bottom: 100, up: true },
];

/** Candles that climb through a level, with the current price. */
const drawing = (
  <Picture>
    <rect className={ground} x="28" y="26" width="264" height="196" rx="18" />
    <path className={faint} d="M28 62h264" />
    <path d="M46 44h34" />
    <path className={faint} d="M94 44h20m10 0h20" />
    <path className={solid} d="M262 39a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z" />
    <path className={faint} d="M44 108h200m-200 40h232m-232 40h232" />
    {CANDLES.map(({ x, high, low, top, bottom, up }) => (
      <g key={x} className={up ? `${accent} ${soft}` : ground}>
        <path d={`M${x} ${high}V${top}M${x} ${bottom}V${low}`} />
        <rect x={x - 7} y={top} width="14" height={bottom - top} rx="3" />
      </g>
    ))}
    <path className={dashed} d="M44 76h204" />
    <rect className={solid} x="250" y="62" width="60" height="28" rx="8" />
    <path className={onSolid} d="M264 80v-9m-4 3.5 4-4 4 4M278 72h20m-20 8h12" />
    <path className={faint} d="M44 206c16-8 28-8 44 0s28 8 44 0 28-8 44 0 28 8 44 0 28-8 52-2" />
  </Picture>
);

/** `/onboarding/two`. */
export default function TwoPage() {
  return (
    <Slide
      step={2}
      title="Stay Updated with Real-Time Market Data"
      text="Track top cryptocurrencies and get the latest market trends at your fingertips."
      picture={drawing}
      actions={
        <>
          <ButtonLink variant="secondary" href="/onboarding/three">
            Skip
          </ButtonLink>
          <ButtonLink href="/onboarding/three">Next</ButtonLink>
        </>
      }
    />
  );
}
