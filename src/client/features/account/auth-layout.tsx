import type { ReactNode } from 'react';
import { IconLink } from '#client/ui/buttons/button.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './auth-layout.module.css';
import { TidePanel } from './tide-panel.tsx';

interface AuthLayoutProps {
  title: string;
  text?: ReactNode;
  /** Where the close button leads. */
  closeHref?: string;
  /** Where the back button leads. */
  backHref?: string;
  children: ReactNode;
}

/** Moves the focus to the heading, for keyboards and screen readers. A form may move it to a field. */
const focus = (heading: HTMLHeadingElement | null) => heading?.focus({ preventScroll: true });

/** The frame of the public account pages: one column, beside a decorative panel on wide screens. */
export const AuthLayout = ({ title, text, closeHref, backHref, children }: AuthLayoutProps) => (
  <div className={styles.layout}>
    <TidePanel />
    <div className={styles.page}>
      <div className={styles.top}>
        {backHref && <IconLink className={styles.back} label="Back" icon="back" href={backHref} />}
        <span className={styles.logo}>
          <Logo name={PRODUCT} wordmark />
        </span>
        {closeHref && <IconLink className={styles.close} label="Close" icon="close" href={closeHref} />}
      </div>
      <div className={styles.words}>
        <h1 className={styles.title} tabIndex={-1} ref={focus}>
          {title}
        </h1>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
    </div>
  </div>
);

/** The line below a form that links to another form. */
export const AuthFoot = ({ children }: { children: ReactNode }) => <p className={styles.foot}>{children}</p>;
