import Dexie, { type EntityTable } from 'dexie';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Coin, createCoins, formatCoin, ROWS } from './coins.ts';

/** Whether the page stores its HTML for the next visit. Set at build time. */
declare const STORES_SCREEN: boolean;
/** Pause after the first screen before it is stored, ms. */
const STORE_AFTER_MS = 500;

const db = new Dexie('reference') as Dexie & { coins: EntityTable<Coin, 'id'> };
db.version(1).stores({ coins: 'id, rank' });

async function readCoins(): Promise<Coin[]> {
  const rows = () => db.coins.orderBy('rank').limit(ROWS).toArray();
  const stored = await rows();
  if (stored.length > 0) return stored;
  await db.coins.bulkPut(createCoins());
  return rows();
}

function Row({ coin }: { coin: Coin }) {
  const { texts, points } = formatCoin(coin);
  return (
    <tr>
      {texts.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change places
        <td key={place}>{text}</td>
      ))}
      <td>
        <svg width="96" height="24" aria-hidden="true">
          <polyline points={points} />
        </svg>
      </td>
    </tr>
  );
}

function Page() {
  const [coins, setCoins] = useState<Coin[]>();
  useEffect(() => {
    void reading.then(setCoins);
  }, []);
  useEffect(() => {
    if (!coins || !STORES_SCREEN) return;
    const timer = setTimeout(async () => {
      const { active } = await navigator.serviceWorker.ready;
      active?.postMessage(root.innerHTML);
    }, STORE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [coins]);
  if (!coins) return null;
  return (
    <main>
      <h1>Markets</h1>
      <table>
        <tbody>
          {coins.map((coin) => (
            <Row key={coin.id} coin={coin} />
          ))}
        </tbody>
      </table>
    </main>
  );
}

// The query starts before React does.
const reading = readCoins();
const root = document.getElementById('root') as HTMLElement;
// A stored screen stays until the rows are there, so that React replaces like with like.
if (root.firstChild) await reading;
createRoot(root).render(<Page />);
addEventListener('load', () => navigator.serviceWorker.register('/sw.js'));
