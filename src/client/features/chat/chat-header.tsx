import type { ReactNode } from 'react';
import { firstPath, goBack, history } from '#client/platform/router/history.ts';
import { IconButton, IconLink } from '#client/ui/buttons/button.tsx';
import { PENCIL } from '#client/ui/graphics/drawings.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { shortTitle } from '#domain/text.ts';

/** A visit that started at the chat has no earlier page, so Back leads home. */
const back = () => (firstPath === '/chat' ? history.replace('/home') : goBack());

interface ChatHeaderProps {
  /** Undefined while loading, and empty for a chat without a title. */
  title: string | undefined;
  /** Opens the sidebar, where titles are edited. */
  onEditTitle: () => void;
  /** More that can be done with the chat. */
  menu?: ReactNode;
}

export const ChatHeader = ({ title, onEditTitle, menu }: ChatHeaderProps) => (
  <PageHeader
    title={<span title={title}>{title === undefined ? '' : shortTitle(title) || 'New Chat'}</span>}
    onBack={back}
    action={
      <>
        <IconButton label="Edit title" icon={PENCIL} onClick={onEditTitle} />
        <IconLink label="Archive" icon="archive" href="/archive" />
        {menu}
      </>
    }
  />
);
