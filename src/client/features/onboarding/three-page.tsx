import { closeOnboarding } from '#client/platform/flags.ts';
import { history } from '#client/platform/router/history.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import { accent, dashed, faint, ground, onSolid, Picture, soft, solid } from './picture.tsx';
import { Slide } from './slide.tsx';

/** A question with a chart, and an answer with its levels. */
const drawing = (
  <Picture>
    <path
      className={ground}
      d="M136 20h142a16 16 0 0 1 16 16v58a16 16 0 0 1-16 16h-2v18l-20-18H136a16 16 0 0 1-16-16V36a16 16 0 0 1 16-16Z"
    />
    <rect className={faint} x="136" y="36" width="60" height="58" rx="8" />
    <path d="M142 84l14-17 10 9 8-8 16 16M181 52a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z" />
    <path className={faint} d="M212 50h64m-64 18h64m-64 18h38" />
    <path className={ground} d="M62 122h158a18 18 0 0 1 18 18v80a18 18 0 0 1-18 18H62a18 18 0 0 1-18-18v-80a18 18 0 0 1 18-18Z" />
    <path className={dashed} d="M62 152h158M62 206h158" />
    <path className={soft} stroke="none" d="M62 198c14 12 26 12 38-6s22-34 36-24 18 34 32 30 20-44 52-46v54H62Z" />
    <path className={accent} d="M62 198c14 12 26 12 38-6s22-34 36-24 18 34 32 30 20-44 52-46" />
    <path className={solid} d="M220 145a7 7 0 1 1 0 14 7 7 0 0 1 0-14Z" />
    <path className={faint} d="M62 224h48m12 0h22" />
    <path className={solid} d="M44 92a26 26 0 1 1 0 52 26 26 0 0 1 0-52Z" />
    <path
      className={onSolid}
      d="M44 103c1.8 10.4 4.6 13.2 15 15-10.4 1.8-13.2 4.6-15 15-1.8-10.4-4.6-13.2-15-15 10.4-1.8 13.2-4.6 15-15Z"
    />
    <path d="M262 176v16m-8-8h16M86 50v10m-5-5h10" />
  </Picture>
);

/** `/onboarding/three`. Its button ends onboarding. */
export default function ThreePage() {
  const start = () => {
    closeOnboarding();
    history.push('/sign-up');
  };
  return (
    <Slide
      step={3}
      title={`Ask and analyze with ${PRODUCT} AI`}
      text="Get AI insights by asking questions or uploading chart images for tailored analysis."
      picture={drawing}
      actions={<Button onClick={start}>Get Started</Button>}
    />
  );
}
