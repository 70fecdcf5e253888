import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { ButtonLink } from '#client/ui/buttons/button.tsx';
import type { DeletedBot } from '#contract/bots/trade-history.ts';
import { SectionCard } from '../section-card.tsx';
import { lifeOf } from './deleted-bots.tsx';
import { ProfitTable } from './profit-table.tsx';
import { TradeTable } from './trade-table.tsx';

/** The trades and profits of a deleted bot. */
export const DeletedBotReport = ({ bot }: { bot: DeletedBot }) => (
  <>
    <SectionCard title="You deleted this bot">
      <p>
        {lifeOf(bot)}, with {useAmounts().amount(bot.position_size)}. Its trades are kept until you delete your account.
      </p>
      <ButtonLink variant="secondary" href="/trading-bot">
        Back to Trading Bot
      </ButtonLink>
    </SectionCard>
    <TradeTable botId={bot.bot_id} botName={bot.bot_name} />
    <ProfitTable botId={bot.bot_id} position={null} />
  </>
);
