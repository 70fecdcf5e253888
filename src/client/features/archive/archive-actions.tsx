import { lazy, Suspense, use, useState } from 'react';
import { COPY, PENCIL, SHARE, TRASH } from '#client/ui/graphics/drawings.ts';
import { MenuButton } from '#client/ui/overlays/menu.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { CopySlot } from './copy-slot.ts';
import { ShareSlot } from './share-slot.ts';

// Lazy, because most visits change nothing in the list.
const ArchiveDialog = lazy(() => import('./archive-dialog.tsx').then((module) => ({ default: module.ArchiveDialog })));

interface ArchiveActionsProps {
  archive: Archive;
  onDeleted: (id: string) => void;
}

/** The menu of a conversation's row: Rename, Copy, Share and Delete. */
export function ArchiveActions({ archive, onDeleted }: ArchiveActionsProps) {
  const [asked, setAsked] = useState<'rename' | 'delete'>();
  const copy = use(CopySlot);
  const share = use(ShareSlot);
  return (
    <>
      <MenuButton
        label={`Actions for ${archive.archive_title || 'untitled chat'}`}
        items={[
          { name: 'Rename', icon: PENCIL, onChoose: () => setAsked('rename') },
          ...(copy ? [{ name: 'Copy as Markdown', icon: COPY, onChoose: () => copy(archive) }] : []),
          ...(share ? [{ name: 'Share…', icon: SHARE, onChoose: () => share(archive) }] : []),
          { name: 'Delete', icon: TRASH, onChoose: () => setAsked('delete'), danger: true },
        ]}
      />
      {asked && (
        <Suspense>
          <ArchiveDialog asked={asked} archive={archive} onClose={() => setAsked(undefined)} onDeleted={onDeleted} />
        </Suspense>
      )}
    </>
  );
}
