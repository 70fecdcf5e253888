import styles from './avatar.module.css';

interface AvatarProps {
  /** The person's names. Their initials replace a missing picture. */
  names: readonly string[];
  picture: string | undefined;
}

/** A person's round picture, 72 px. Decorative: put the name beside it. */
export const Avatar = ({ names, picture }: AvatarProps) => (
  <span className={styles.avatar} aria-hidden="true">
    {picture ? <img className={styles.picture} src={picture} alt="" /> : initials(names)}
  </span>
);

const initials = (names: readonly string[]) =>
  names
    .map((name) => [...name.trim()][0] ?? '')
    .join('')
    .toUpperCase();
