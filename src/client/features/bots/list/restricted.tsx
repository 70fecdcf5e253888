import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { LOCK } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import styles from './restricted.module.css';

/** Says why the user has no access to trading bots. */
export const Restricted = ({ message }: { message: string }) => (
  <section className={styles.page} aria-labelledby="restricted">
    <span className={styles.lock}>
      <Icon name={LOCK} size={28} />
    </span>
    <h2 id="restricted">Access restricted</h2>
    <p className={styles.message}>{message}</p>
    <div className={styles.ways}>
      <ButtonLink href="/pricing">Upgrade to Premium</ButtonLink>
      <ButtonLink href="/home" variant="secondary">
        Go to Home
      </ButtonLink>
    </div>
  </section>
);
