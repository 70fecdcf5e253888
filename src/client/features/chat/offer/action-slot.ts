import { createContext, type ReactNode } from 'react';
import type { Action } from '#contract/chat/offers.ts';

/** Renders what an answer offers to do, by its message. client/app provides it, because features do not import each other. */
export const ActionSlot = createContext<(messageId: string, action: Action) => ReactNode>(() => null);
