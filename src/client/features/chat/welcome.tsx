import { Icon } from '#client/ui/graphics/icon.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './welcome.module.css';

const TIPS = [
  { name: 'Concise', text: 'Be brief: ask one question at a time.' },
  { name: 'Unambiguous', text: 'Name the coin and the period: "Bitcoin, last 7 days".' },
  { name: 'Respectful', text: 'Keep it polite and to the point.' },
] as const;

const EXAMPLES = [
  'What is the price of Bitcoin?',
  'Compare Ethereum and Solana',
  'Which coins gained most today?',
  'Support and resistance for BTC',
] as const;

/** An empty chat: tips, costs and example questions. */
export const Welcome = ({ onAsk }: { onAsk: (question: string) => void }) => (
  <div className={styles.welcome}>
    <div className={styles.intro}>
      <Logo name={PRODUCT} size={48} />
      <h2>Ask {PRODUCT}</h2>
      <p>Answers use current market data and show when it was updated.</p>
    </div>
    <ul className={styles.examples} aria-label="Examples">
      {EXAMPLES.map((example) => (
        <li key={example}>
          <button type="button" className={styles.example} onClick={() => onAsk(example)}>
            {example}
            <Icon name="chevron-right" size={20} />
          </button>
        </li>
      ))}
    </ul>
    <dl className={styles.tips}>
      {TIPS.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
    <p className={styles.disclaimer}>
      <Icon name="warning" size={20} />
      Unclear charts, or charts without indicators, are hard to analyze. These still count towards your limit.
    </p>
  </div>
);
