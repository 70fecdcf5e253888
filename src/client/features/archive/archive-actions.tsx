import { use, useLayoutEffect, useRef, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { useClaims } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { COPY, PENCIL, PIN, SHARE, TRASH } from '#client/ui/graphics/drawings.ts';
import { MenuButton } from '#client/ui/overlays/menu.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { CopySlot } from './copy-slot.ts';
import { pinArchive } from './pins.ts';
import { ShareSlot } from './share-slot.ts';

// Late, because most visits change nothing in the list.
const ArchiveDialog = lateDialog(async () => ({ default: (await import('./archive-dialog.tsx')).ArchiveDialog }));

interface ArchiveActionsProps {
  archive: Archive;
  onDeleted: (id: string) => void;
}

/** A row that moves to another group is a new element: it takes the focus that the old one had. */
let moving: { id: string; list: Element } | undefined;

/** The menu of a conversation's row: Rename, Pin, Copy, Share and Delete. */
export function ArchiveActions({ archive, onDeleted }: ArchiveActionsProps) {
  const { id, archive_title, pinned_at } = archive;
  const [asked, setAsked] = useState<'rename' | 'delete' | 'full'>();
  const copy = use(CopySlot);
  const share = use(ShareSlot);
  const db = userDb(useClaims().sub);
  const root = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (moving?.id !== id || !moving.list.contains(root.current)) return;
    moving = undefined;
    root.current?.querySelector('button')?.focus();
  }, [id]);

  async function pin() {
    const list = root.current?.closest('[data-chats]');
    moving = list ? { id, list } : undefined;
    if (await pinArchive(db, { archiveId: id, pinned: !pinned_at })) toast(pinned_at ? 'Unpinned' : 'Pinned');
    else setAsked('full');
  }

  return (
    <div ref={root}>
      <MenuButton
        label={`Actions for ${archive_title || 'untitled chat'}`}
        items={[
          { name: 'Rename', icon: PENCIL, onChoose: () => setAsked('rename') },
          { name: pinned_at ? 'Unpin' : 'Pin', icon: PIN, onChoose: () => void pin() },
          ...(copy ? [{ name: 'Copy as Markdown', icon: COPY, onChoose: () => copy(archive) }] : []),
          ...(share ? [{ name: 'Share…', icon: SHARE, onChoose: () => share(archive) }] : []),
          { name: 'Delete', icon: TRASH, onChoose: () => setAsked('delete'), danger: true },
        ]}
      />
      {asked && <ArchiveDialog asked={asked} archive={archive} onClose={() => setAsked(undefined)} onDeleted={onDeleted} />}
    </div>
  );
}
