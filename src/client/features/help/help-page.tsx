import { useState } from 'react';
import { goBack } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SEARCH } from '#client/ui/graphics/scenes.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { formatCount } from '#domain/format/format-count.ts';
import { searchFaq } from './faq.ts';
import { FaqList } from './faq-list.tsx';
import styles from './help-page.module.css';
import { MyMessages } from './my-messages.tsx';
import { WriteToSupport } from './write-to-support.tsx';

/** `/settings/help-center`: common questions, and the form for a message to support. */
export default function HelpPage() {
  const userId = useClaims().sub;
  const [typed, setTyped] = useState('');
  const query = useDebounced(typed).trim();
  const [writing, setWriting] = useState(false);
  const found = searchFaq(query);
  return (
    <>
      <PageHeader title="Help Center" onBack={() => goBack('/settings/account')} />
      <div className={styles.page}>
        <section className={styles.answers} aria-label="Questions and answers">
          <SearchField label="Search help" placeholder="Search help..." value={typed} onChange={setTyped} />
          <p className="sr-only" role="status">
            {query && `${formatCount(found.length, 'answer')} found`}
          </p>
          {found.length > 0 ? (
            <FaqList entries={found} query={query} />
          ) : (
            <EmptyState illustration={<Illustration drawing={SEARCH} />} title={`No answer mentions "${query}".`} />
          )}
        </section>
        <div className={styles.support}>
          <Card className={styles.contact}>
            <h2 className={styles.heading}>Still need help?</h2>
            <p className={styles.invitation}>Write to support, with pictures if they help. It works offline too.</p>
            <Button onClick={() => setWriting(true)}>Contact Us</Button>
          </Card>
          <MyMessages userId={userId} />
        </div>
      </div>
      {writing && <WriteToSupport kind="contact" title="Contact Us" onClose={() => setWriting(false)} />}
    </>
  );
}
