import { Icon } from '#client/ui/graphics/icon.tsx';
import { BOT_LEVERAGE } from '#contract/bots/bot.ts';
import type { ExchangeName } from '#contract/bots/exchange-names.ts';
import { exchangeName } from '../exchange-name.ts';
import styles from './live-warning.module.css';

/** Warns of the risk, and says which key to create, before a bot gets real money. */
export const LiveWarning = (market: { exchange: ExchangeName }) => (
  <section className={styles.warning} aria-labelledby="real-money">
    <h3 id="real-money">
      <Icon name="warning" size={20} />
      This bot trades your own money
    </h3>
    <ul>
      <li>
        It moves up to {BOT_LEVERAGE} times the position size on {exchangeName(market)}. You can lose all of it, and quickly.
      </li>
      <li>Use a dedicated subaccount, and fund it only with what you can lose. Your own trades there would mix with the bot's.</li>
      <li>
        Create a key that can place orders and hold positions, and nothing else. Keys that can withdraw are refused, so that a stolen key
        can't move your money out.
      </li>
    </ul>
  </section>
);
