import { shortTitle } from '../../../domain/text';
import { firstPath, goBack, history } from '../../platform/router/history';
import { IconLink } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';

/** One that opened the app on the chat has nothing behind it to go back to (spec §2). */
const back = () => (firstPath === '/chat' ? history.replace('/home') : goBack());

/** `title` is undefined while it is not known yet, and empty for a chat that has none. */
export const ChatHeader = ({ title }: { title: string | undefined }) => (
  <PageHeader
    title={<span title={title}>{title === undefined ? '' : shortTitle(title) || 'New Chat'}</span>}
    onBack={back}
    action={<IconLink label="Archive" icon="archive" href="/archive" />}
  />
);
