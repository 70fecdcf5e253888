import type { ReactNode } from 'react';
import { StepProgress } from '#client/ui/feedback/step-progress.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './slide.module.css';

const SLIDES = 3;

interface SlideProps {
  /** 1 to 3. */
  step: number;
  title: string;
  text: string;
  picture: ReactNode;
  actions: ReactNode;
}

/** Moves the focus to the heading, for keyboards and screen readers. */
const focus = (heading: HTMLHeadingElement | null) => heading?.focus();

/** One onboarding screen: a drawing, a text and buttons. */
export const Slide = ({ step, title, text, picture, actions }: SlideProps) => (
  <div className={styles.slide}>
    <div className={styles.picture}>{picture}</div>
    <div className={styles.words}>
      <div className={styles.logo}>
        <Logo name={PRODUCT} wordmark />
      </div>
      <h1 key={step} className={styles.title} tabIndex={-1} ref={focus}>
        {title}
      </h1>
      <p className={styles.text}>{text}</p>
    </div>
    <div className={styles.foot}>
      <StepProgress count={SLIDES} current={step} label={`Step ${step} of ${SLIDES}`} />
      <div className={styles.actions}>{actions}</div>
    </div>
  </div>
);
