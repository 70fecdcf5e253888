import { useState } from 'react';
import { TextField } from '#client/ui/fields/field.tsx';
import { LIVE_WORD } from '#contract/bots/bot.ts';
import type { ServerConfig } from '#contract/config.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';

interface LiveConfirmationState {
  /** Real money is at stake. */
  isAsked: boolean;
  isGiven: boolean;
  /** What goes with the form. */
  sent: { confirm_live?: string };
  typed: string;
  type: (text: string) => void;
}

/** Real money asks for a word that nobody types by mistake. */
export function useLiveConfirmation(market: ServerConfig['bots']): LiveConfirmationState {
  const [typed, type] = useState('');
  const isAsked = market !== undefined && moneyOf(market) === 'live';
  const isGiven = !isAsked || typed === LIVE_WORD;
  return { isAsked, isGiven, sent: isAsked ? { confirm_live: typed } : {}, typed, type };
}

export const LiveConfirmation = ({ state: { isAsked, typed, type } }: { state: LiveConfirmationState }) =>
  isAsked && (
    <TextField
      label={`Type ${LIVE_WORD} to confirm`}
      hint="This bot trades your own money on a real exchange. You can lose all of it."
      autoCapitalize="characters"
      spellCheck={false}
      value={typed}
      onChange={(event) => type(event.target.value.trim())}
    />
  );
