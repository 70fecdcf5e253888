import styles from './avatar.module.css';

interface AvatarProps {
  /** Of the person; their initials stand in for a picture that is not there. */
  names: readonly string[];
  picture: string | undefined;
}

/** A person's round picture, 72 px. Decorative: the name stands beside it. */
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
