import { useContext } from 'react';
import type { Action } from '#contract/chat/offers.ts';
import { ActionSlot } from './action-slot.ts';
import { Choices } from './choices.tsx';

interface OfferProps {
  messageId: string;
  choices: readonly string[] | undefined;
  action: Action | null | undefined;
  /** Asks a question; undefined where the conversation has gone on. */
  onAsk: ((question: string) => void) | undefined;
}

/** What the user can do with an answer: ask one of its questions, or confirm what it offers to do. */
export function Offer({ messageId, choices = [], action, onAsk }: OfferProps) {
  const renderAction = useContext(ActionSlot);
  return (
    <>
      {action && renderAction(messageId, action)}
      {onAsk && choices.length > 0 && <Choices choices={choices} onAsk={onAsk} />}
    </>
  );
}
