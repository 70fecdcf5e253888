import { userDb } from '#client/platform/db/user-db.ts';
import { saveFile } from '#client/platform/save-file.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { DOWNLOAD, GRIP, UPLOAD } from '#client/ui/graphics/drawings.ts';
import { MenuButton } from '#client/ui/overlays/menu.tsx';
import { dayOf } from '#domain/clock.ts';
import { watchlistFile } from './file/watchlist-file.ts';

interface WatchlistMenuProps {
  onOrder: () => void;
  onImport: () => void;
  /** Number of watched coins. */
  count: number;
}

/** Actions of the whole watchlist: order, import and export. */
export function WatchlistMenu({ onOrder, onImport, count }: WatchlistMenuProps) {
  const db = userDb(useClaims().sub);
  const save = async () => saveFile(`watchlist-${dayOf(Date.now())}.csv`, await watchlistFile(db));
  const order = { name: 'Change order', icon: GRIP, onChoose: onOrder };
  const download = { name: 'Export as CSV', icon: DOWNLOAD, onChoose: () => void save() };
  return (
    <MenuButton
      label="Watchlist actions"
      items={[
        ...(count > 1 ? [order] : []),
        { name: 'Import from CSV', icon: UPLOAD, onChoose: onImport },
        ...(count > 0 ? [download] : []),
      ]}
    />
  );
}
