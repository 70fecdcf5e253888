import type { MouseEvent, ReactNode } from 'react';
import { goBack } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import styles from './legal-document.module.css';

export interface LegalSection {
  id: string;
  heading: string;
  body: ReactNode;
}

interface LegalDocumentProps {
  title: string;
  dates: string;
  intro: ReactNode;
  sections: readonly LegalSection[];
}

/** Scrolls to a section without a hash in the address, which would add a step to Back. */
function jump(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  const heading = document.getElementById(event.currentTarget.hash.slice(1));
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView();
}

/** A long text, with its table of contents beside it on wide screens. Needs no sign-in and no connection. */
export function LegalDocument({ title, dates, intro, sections }: LegalDocumentProps) {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <>
      <PageHeader title={title} onBack={() => goBack(isSignedIn ? '/settings/account' : '/')} />
      <div className={styles.page}>
        <nav className={styles.contents} aria-label="Contents">
          <ol>
            {sections.map(({ id, heading }, index) => (
              <li key={id}>
                <a href={`#${id}`} onClick={jump}>
                  <span className={styles.number}>{index + 1}</span>
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <article className={styles.text}>
          <p className={styles.dates}>{dates}</p>
          {intro}
          {sections.map(({ id, heading, body }, index) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id} tabIndex={-1}>
                {index + 1}. {heading}
              </h2>
              {body}
            </section>
          ))}
        </article>
      </div>
    </>
  );
}
