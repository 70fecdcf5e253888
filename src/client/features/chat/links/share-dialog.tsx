import { useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Segments } from '#client/ui/fields/segments.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { ImagePanel } from '../image/image-panel.tsx';
import { LinkPanel } from './link-panel.tsx';
import styles from './links.module.css';

const WAYS = [
  { value: 'link', label: 'Link' },
  { value: 'image', label: 'Image' },
] as const;
type Way = (typeof WAYS)[number]['value'];

/** Shares a chat as a read-only link, or as an image. */
export function ShareDialog({ archive, onClose }: { archive: Archive; onClose: () => void }) {
  const reachable = useReachable();
  const [way, setWay] = useState<Way>(reachable ? 'link' : 'image');
  return (
    <Dialog open title="Share chat" onClose={onClose}>
      <div className={styles.dialog}>
        <Segments label="Share as" value={way} options={WAYS} onChange={setWay} />
        {way === 'link' ? <LinkPanel archive={archive} /> : <ImagePanel archive={archive} />}
      </div>
    </Dialog>
  );
}
