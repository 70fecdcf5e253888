import type { ReactNode } from 'react';
import { firstPath, goBack, history } from '#client/platform/router/history.ts';
import { IconButton, IconLink } from '#client/ui/buttons/button.tsx';
import { PENCIL } from '#client/ui/graphics/drawings.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { shortTitle } from '#domain/text.ts';

/** A visit that started at the chat has no earlier page, so Back leads home. */
const back = () => (firstPath === '/chat' ? history.replace('/home') : goBack());

interface ChatHeaderProps {
  /** The row of an open chat: null for a new one, undefined while it loads. */
  archive: Archive | null | undefined;
  /** Opens the sidebar, where titles are edited. */
  onEditTitle: () => void;
  /** Renders what else can be done with the chat. */
  menu: (archive: Archive) => ReactNode;
}

export const ChatHeader = ({ archive, onEditTitle, menu }: ChatHeaderProps) => (
  <PageHeader
    title={
      <span title={archive?.archive_title}>{archive === undefined ? '' : shortTitle(archive?.archive_title ?? '') || 'New Chat'}</span>
    }
    onBack={back}
    action={
      <>
        <IconButton label="Edit title" icon={PENCIL} onClick={onEditTitle} />
        <IconLink label="Archive" icon="archive" href="/archive" />
        {archive && menu(archive)}
      </>
    }
  />
);
