import { useState } from 'react';
import { goBack } from '../../platform/router/history';
import { useClaims } from '../../platform/session/use-session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { PageHeader } from '../../ui/page-header';
import { Picture } from '../../ui/picture';
import { SearchField } from '../../ui/search-field';
import { EmptyState } from '../../ui/state';
import { useDebounced } from '../../ui/use-debounced';
import { searchFaq } from './faq';
import { FaqList } from './faq-list';
import styles from './help-page.module.css';
import { MyMessages } from './my-messages';
import { WriteToSupport } from './write-to-support';

/** `/settings/help-center` (spec §2): answers to what people ask most, and a way to ask support. */
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
            {query && `${found.length} ${found.length === 1 ? 'answer' : 'answers'} found`}
          </p>
          {found.length > 0 ? (
            <FaqList entries={found} query={query} />
          ) : (
            <EmptyState picture={<Picture name="search" />} title={`No answer mentions "${query}".`} />
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
