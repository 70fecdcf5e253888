import { useState } from 'react';
import { TextField } from '#client/ui/fields/field.tsx';
import { LIVE_WORD } from '#contract/bots/bot.ts';
import type { ServerConfig } from '#contract/config.ts';
import { moneyOf } from '#domain/bots/bot-money.ts';

interface LiveConfirmationState {
  isRequired: boolean;
  isGiven: boolean;
  /** Fields to send with the form. */
  sent: { confirm_live?: string };
  typed: string;
  type: (text: string) => void;
}

/** Requires a typed word before a bot trades real money, because a word is not typed by mistake. */
export function useLiveConfirmation(market: ServerConfig['bots']): LiveConfirmationState {
  const [typed, type] = useState('');
  const isRequired = market !== undefined && moneyOf(market) === 'live';
  const isGiven = !isRequired || typed === LIVE_WORD;
  return { isRequired, isGiven, sent: isRequired ? { confirm_live: typed } : {}, typed, type };
}

export const LiveConfirmation = ({ state: { isRequired, typed, type } }: { state: LiveConfirmationState }) =>
  isRequired && (
    <TextField
      label={`Type ${LIVE_WORD} to confirm`}
      hint="This bot trades your own money on a real exchange. You can lose all of it."
      autoCapitalize="characters"
      spellCheck={false}
      value={typed}
      onChange={(event) => type(event.target.value.trim())}
    />
  );
