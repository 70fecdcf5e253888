import type { Drawing } from './drawings.ts';
import styles from './icon.module.css';

/** Icons of the frame and the first screens, by name. Pass others from drawings.ts. */
const DRAWINGS = {
  'arrow-down': 'M12 5v14m-5.5-5.5L12 19l5.5-5.5',
  'arrow-up': 'M12 19V5m-5.5 5.5L12 5l5.5 5.5',
  archive: 'M3.5 5h17v4h-17zM5 9v8.5A1.5 1.5 0 0 0 6.5 19h11a1.5 1.5 0 0 0 1.5-1.5V9m-9 4h4',
  back: 'M19 12H5m6-6-6 6 6 6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1h-15zM10 20.5h4M12 5V3.5',
  chart: 'M4 4v14.5A1.5 1.5 0 0 0 5.5 20H20M7.5 15l4-5 3.5 3 4.5-6.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'chevron-down': 'm6.5 9.5 5.5 5.5 5.5-5.5',
  'chevron-right': 'm9.5 6.5 5.5 5.5-5.5 5.5',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  crypto: 'M7 3.5v3m0 9v5M4.5 6.5h5v9h-5zM17 3.5V8m0 7v5.5M14.5 8h5v7h-5z',
  heart: 'M12 19.5C8 16.7 3.5 13.3 3.5 9.3a4.5 4.5 0 0 1 8.5-2.2 4.5 4.5 0 0 1 8.5 2.2c0 4-4.5 7.4-8.5 10.2Z',
  home: 'm3.5 11 8.5-7 8.5 7M5.5 9.5V18A1.5 1.5 0 0 0 7 19.5h10a1.5 1.5 0 0 0 1.5-1.5V9.5M10 19.5v-5.5h4v5.5',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Zm4.7 11.2L20 20',
  settings: 'M4 7h8m4 0h4M4 17h4m4 0h8M14 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4Zm-4 10a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4Z',
  warning: 'M12 4.5 21 19.5H3zM12 10v4.5m0 2.490v.01',
  'wifi-off':
    'M4 4l16 16M8.6 15.5a5 5 0 0 1 6.8 0M5.5 12.3a9.5 9.5 0 0 1 4-2.3m4.5-.1a9.5 9.5 0 0 1 4.5 2.4M2.5 9A14 14 0 0 1 7 6.2m3.5-.7A14 14 0 0 1 21.5 9M12 19v.01',
} as const;

export type IconName = keyof typeof DRAWINGS | 'heart-filled' | Drawing;

/** A decorative icon in the color of the text around it. Put its meaning into words beside it. `size` in px. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  const filled = name === 'heart-filled';
  return (
    <svg className={styles.icon} width={size} height={size} viewBox="0 0 24 24" fill={filled ? 'currentColor' : 'none'} aria-hidden="true">
      <path d={typeof name === 'object' ? name.path : DRAWINGS[filled ? 'heart' : name]} />
    </svg>
  );
}
