import { useId, useState } from 'react';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { BotButton, OfflineReason } from '../manage/bot-button.tsx';
import { EditDialog } from '../manage/edit-dialog.tsx';
import { SectionCard } from '../section-card.tsx';
import { BotFacts } from '../summary/bot-facts.tsx';
import styles from './bot-settings.module.css';

interface BotSettingsProps {
  bot: Bot;
  onOutcome: (outcome: Outcome | undefined) => void;
  /** Called after a change: the service has a newer state. */
  onChanged: () => void;
}

/** Shows a bot's settings, and opens them for editing. */
export function BotSettings({ bot, onOutcome, onChanged }: BotSettingsProps) {
  const [isEditing, edit] = useState(false);
  const reason = useId();
  return (
    <SectionCard title="Settings">
      <BotFacts bot={bot} />
      <div className={styles.edit}>
        <BotButton
          variant="secondary"
          reason={reason}
          onClick={() => {
            onOutcome(undefined);
            edit(true);
          }}
        >
          Edit
        </BotButton>
      </div>
      <OfflineReason id={reason} />
      {isEditing && (
        <EditDialog
          bot={bot}
          onClose={() => edit(false)}
          onSaved={() => {
            edit(false);
            onOutcome({ tone: 'done', title: "The bot's settings were saved." });
            onChanged();
          }}
        />
      )}
    </SectionCard>
  );
}
