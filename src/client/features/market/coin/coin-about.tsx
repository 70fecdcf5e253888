import { EXTERNAL } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import styles from './coin-about.module.css';
import { coinLinks } from './coin-links.ts';

const MAX_TAGS = 10;

/** A coin's links and tags. An empty section is left out with its heading. */
export function CoinAbout({ details }: { details: CryptoDetails }) {
  const links = coinLinks(details);
  const tags = [...new Set(details.tags.map(({ name }) => name))].slice(0, MAX_TAGS);
  return (
    <>
      {links.length > 0 && (
        <section>
          <h2 className={styles.heading}>Links</h2>
          <ul className={styles.items}>
            {links.map(({ label, href }) => (
              <li key={label}>
                <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer">
                  {label}
                  <Icon name={EXTERNAL} size={16} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {tags.length > 0 && (
        <section>
          <h2 className={styles.heading}>Tags</h2>
          <ul className={styles.items}>
            {tags.map((name) => (
              <li key={name} className={styles.tag}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
