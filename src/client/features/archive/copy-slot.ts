import { createContext } from 'react';
import type { Archive } from '#contract/chat/archive.ts';

/** Copies a conversation, for the menus of its rows. Undefined where nothing does. */
export const CopySlot = createContext<((archive: Archive) => void) | undefined>(undefined);
