import { firstPath, goBack, history } from '#client/platform/router/history.ts';
import { IconButton, IconLink } from '#client/ui/buttons/button.tsx';
import { PENCIL } from '#client/ui/graphics/drawings.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { shortTitle } from '#domain/text.ts';

/** One that opened the app on the chat has nothing behind it to go back to (spec §2). */
const back = () => (firstPath === '/chat' ? history.replace('/home') : goBack());

interface ChatHeaderProps {
  /** Undefined while it is not known yet, and empty for a chat that has none. */
  title: string | undefined;
  /** Opens the chats beside this one, where titles are edited. */
  onEditTitle: () => void;
}

export const ChatHeader = ({ title, onEditTitle }: ChatHeaderProps) => (
  <PageHeader
    title={<span title={title}>{title === undefined ? '' : shortTitle(title) || 'New Chat'}</span>}
    onBack={back}
    action={
      <>
        <IconButton label="Edit title" icon={PENCIL} onClick={onEditTitle} />
        <IconLink label="Archive" icon="archive" href="/archive" />
      </>
    }
  />
);
