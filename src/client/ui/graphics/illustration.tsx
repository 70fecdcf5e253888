import styles from './illustration.module.css';

/** Line drawings for empty pages and errors. The second path has the accent color. */
const ILLUSTRATIONS = {
  calm: ['M14 38h92M24 78h72M38 90h44', 'M8 60c14 14 26 14 38 0s24-22 36-14 18 14 30 8'],
  chat: [
    'M22 24h50a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10H46L30 80V66h-8a10 10 0 0 1-10-10V34a10 10 0 0 1 10-10Z',
    'M92 46h6a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10h-4v12L80 86H66M28 46c6 6 11 6 16 0s11-6 16 0',
  ],
  search: ['M52 18a32 32 0 1 1 0 64 32 32 0 0 1 0-64ZM76 74l26 26', 'M32 52c7 7 13 7 20 0s13-7 20 0'],
  trouble: ['M60 16 108 98H12Z', 'M60 46v20M60 80v.1'],
} as const;

/** A decorative line drawing, 120 px wide. */
export const Illustration = ({ name }: { name: keyof typeof ILLUSTRATIONS }) => (
  <svg className={styles.illustration} width="120" height="112" viewBox="0 0 120 112" aria-hidden="true">
    <path d={ILLUSTRATIONS[name][0]} />
    <path className={styles.accent} d={ILLUSTRATIONS[name][1]} />
  </svg>
);
