import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { userDb } from '#client/platform/db/user-db.ts';
import { goBack, useLocation } from '#client/platform/router/history.ts';
import { Redirect } from '#client/platform/router/redirect.tsx';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { atMost, notEmpty } from '#contract/text.ts';
import { DEFAULT_LEVERAGE } from '#domain/bots/bot-figures.ts';
import { MONEY_NAMES } from '#domain/bots/bot-money.ts';
import { MoneyCard } from '../money-card.tsx';
import { saveAmount } from '../saved-amount.ts';
import { SizeField } from '../size-field.tsx';
import styles from './configure-page.module.css';
import { LeverageSlider } from './leverage-slider.tsx';
import { YearlyEstimates } from './yearly-estimates.tsx';

const stateText = z.string().check(atMost(200));
/** The navigation state that the page needs. */
const configureState = z.object({
  botName: stateText,
  strategy: stateText,
  asset: stateText,
  riskLevel: stateText,
  /** The bot, for the link to its settings. */
  botId: z.optional(stateText),
  money: z.optional(z.enum(['paper', 'testnet', 'live'])),
});
type ConfigureState = z.infer<typeof configureState>;

const configureForm = z.object({ amount: z.string().check(atMost(40), notEmpty('Please enter your investment amount')) });

/** `/trading-bot/configure`: estimates the profit of an amount. It sends nothing to the server. */
export default function ConfigurePage() {
  const state = z.safeParse(configureState, useLocation().state);
  if (!state.success) return <Redirect to="/trading-bot" />;
  return (
    <>
      <PageHeader title="Configure Trading Bot" onBack={() => goBack('/trading-bot')} />
      <Configure bot={state.data} />
    </>
  );
}

function Configure({ bot }: { bot: ConfigureState }) {
  const db = userDb(useClaims().sub);
  const { control, handleSubmit } = useForm({ resolver: zodResolver(configureForm), mode: 'onSubmit', defaultValues: { amount: '' } });
  const { field: amount, fieldState } = useController({ control, name: 'amount' });
  const [leverage, setLeverage] = useState(DEFAULT_LEVERAGE);
  const [outcome, setOutcome] = useState<Outcome>();

  const submit = handleSubmit(async ({ amount: typed }) => {
    try {
      await saveAmount(db, typed);
      setOutcome({
        tone: 'done',
        title: 'Trading bot configured successfully!',
        detail: 'The amount is saved on this device as the position size of your next bot. Your running bots do not change.',
      });
    } catch (error) {
      console.error('saving the amount failed', error);
      setOutcome({ tone: 'failed', title: 'An error occurred while configuring the trading bot.' });
    }
  });

  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <p>
        This page estimates a yearly profit by the advertised factors. It changes no bot.{' '}
        {bot.botId && <a href={`/trading-bot/bots/${encodeURIComponent(bot.botId)}`}>Open the bot's real settings</a>}
      </p>
      <MoneyCard money={bot.money}>
        {bot.money && (
          <p className={styles.money}>
            <MoneyChips money={bot.money} names={MONEY_NAMES} />
          </p>
        )}
        <dl className={styles.bot}>
          {Object.entries({ Bot: bot.botName, Strategy: bot.strategy, Asset: bot.asset, 'Risk level': bot.riskLevel }).map(
            ([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
      </MoneyCard>
      <Card className={styles.fields}>
        <SizeField label="Investment Amount" error={fieldState.error?.message} {...amount} />
        <LeverageSlider value={leverage} onChange={setLeverage} />
      </Card>
      <YearlyEstimates amount={Number(amount.value)} leverage={leverage} />
      {outcome && (
        <OutcomeNote
          outcome={outcome}
          action={outcome.tone === 'done' && <ButtonLink href="/trading-bot">Back to Trading Bot</ButtonLink>}
        />
      )}
      <Button type="submit" block>
        Configure
      </Button>
    </form>
  );
}
