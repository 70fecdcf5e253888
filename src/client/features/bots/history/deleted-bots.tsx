import { useResource } from '#client/platform/cache/use-resource.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { DeletedBot } from '#contract/bots/trade-history.ts';
import { MONEY_NAMES, moneyOf } from '#domain/bots/bot-money.ts';
import { SectionCard } from '../section-card.tsx';
import styles from './deleted-bots.module.css';
import { deletedBots } from './history-resources.ts';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Describes when a deleted bot existed, and its kind of money. */
export const lifeOf = ({ created_at, deleted_at, ...bot }: DeletedBot): string =>
  `${MONEY_NAMES[moneyOf(bot)]}, ${day.formatRange(Date.parse(created_at), Date.parse(deleted_at))}`;

/** Links to the trades of bots that the user deleted. Shows nothing if there are none. `count`: the user's other bots. */
export function DeletedBots({ count }: { count: number | undefined }) {
  const { data, refresh } = useResource(deletedBots, { userId: useClaims().sub });
  useRefreshOnChange(count, refresh);
  if (!data || data.length === 0) return null;
  return (
    <SectionCard title="Deleted bots">
      <p className={styles.detail}>Their trades are kept until you delete your account.</p>
      <ul className={styles.list}>
        {data.map((bot) => (
          <li key={bot.bot_id}>
            <a className={styles.link} href={`/trading-bot/bots/${bot.bot_id}`}>
              <span className={styles.name}>{bot.bot_name}</span>
              <span className={styles.detail}>{lifeOf(bot)}</span>
              <Icon name="chevron-right" size={20} />
            </a>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
