import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { BOT } from '#client/ui/graphics/drawings.ts';
import { LinkCard } from '#client/ui/layout/card.tsx';
import type { User } from '#contract/account/user.ts';
import { type BotAccess, botAccess } from '#domain/bots/bot-access.ts';
import { BotMoney, useBotMoney } from './bot-money.tsx';

const TEXTS: Record<Extract<BotAccess, { allowed: true }>['reason'], string> = {
  premium: 'Premium: Unlimited access',
  grace_period: 'Grace period: Available until August 2025',
  new_user: 'Free trial: Limited time access',
};

interface BotCardProps {
  user: User | undefined;
  /** The user is still loading. */
  isLoading: boolean;
  /** ms UTC. */
  now: number;
}

const PAGE = '/trading-bot';

/** Links to the bots, or says why they are locked. Users keep access to bots they have. The server applies the same rule. */
export function BotCard({ user, isLoading, now }: BotCardProps) {
  const money = useBotMoney();
  if (!user && isLoading) return <LinkCard href={PAGE} icon={BOT} title="Trading Bot" text={<Skeleton width="70%" height={20} />} />;
  const access = botAccess(user, now);
  const titled = (name: string) => (
    <>
      {name}
      {money && <BotMoney money={money} />}
    </>
  );
  return access.allowed ? (
    <LinkCard href={PAGE} icon={BOT} title={titled('Trading Bot')} text={TEXTS[access.reason]} />
  ) : (
    <LinkCard
      href={money && PAGE}
      icon={BOT}
      title={titled('Trading Bot (Premium Only)')}
      text="Upgrade to Premium for unlimited access"
      disabled
    />
  );
}
