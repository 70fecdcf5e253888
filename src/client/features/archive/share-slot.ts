import { createContext } from 'react';
import type { Archive } from '#contract/chat/archive.ts';

/** Opens the dialog that shares a conversation, for the menus of its rows. Undefined where there is none. */
export const ShareSlot = createContext<((archive: Archive) => void) | undefined>(undefined);
