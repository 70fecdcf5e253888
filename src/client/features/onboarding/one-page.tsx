import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import { accent, dashed, faint, ground, Picture, soft, solid } from './picture.tsx';
import { Slide } from './slide.tsx';

/** A boat on the tide. */
const drawing = (
  <Picture>
    <circle className={faint} cx="160" cy="112" r="92" />
    <path className={dashed} d="M14 104h74m144 0h74" />
    <path d="m300 98 6 6-6 6" />
    <path className={solid} d="M132 20c2 11.6 5 14.6 17 17-12 2.4-15 5.4-17 17-2-11.6-5-14.6-17-17 12-2.4 15-5.4 17-17Z" />
    <path d="M52 62q6-7 12 0 6-7 12 0m158-6q5-6 10 0 5-6 10 0" />
    <path className={faint} d="M6 184c22-11 40-11 62 0s40 11 62 0 40-11 62 0 40 11 62 0 40-11 60-1" />
    <path className={ground} d="M168 74c26 24 38 54 40 88h-40Z" />
    <path className={`${accent} ${soft}`} d="M156 92c-8 28-22 52-40 70h40Z" />
    <path d="M162 62v112M162 62l12 5-12 5" />
    <path className={ground} d="M106 174h110l-15 26c-22 8-58 8-80 0Z" />
    <path
      className={soft}
      stroke="none"
      d="M6 208c24-15 44-15 68 0s44 15 68 0 44-15 68 0 44 15 68 0 24-10 36-7v27a26 26 0 0 1-26 26H32a26 26 0 0 1-26-26Z"
    />
    <path className={accent} d="M6 208c24-15 44-15 68 0s44 15 68 0 44-15 68 0 44 15 68 0 24-10 36-7" />
    <path className={faint} d="M38 232h26m40 4h54m44-6h30m22 8h24" />
  </Picture>
);

/** `/onboarding/one`. */
export default function OnePage() {
  return (
    <Slide
      step={1}
      title={`Welcome to ${PRODUCT}`}
      text="Discover a smarter way to navigate the crypto market with AI insights."
      picture={drawing}
      actions={
        <>
          <ButtonLink variant="secondary" href="/onboarding/three">
            Skip
          </ButtonLink>
          <ButtonLink href="/onboarding/two">Next</ButtonLink>
        </>
      }
    />
  );
}
