import type { ManifestOptions } from 'vite-plugin-pwa';
import { CHAT_IMAGE_TYPES } from '#contract/pictures.ts';
import { SHARE_FIELDS, SHARE_PATH } from '#contract/share.ts';

/** `--bg` of the dark theme (src/client/ui/theme/tokens.css): the background before the first paint. */
const BACKGROUND = '#0b1220';

const shortcut = (name: string, url: string) => ({ name, url, icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }] });

/** Returns the web app manifest. */
export const manifest = (product: string): Partial<ManifestOptions> => ({
  id: '/',
  name: product,
  short_name: product,
  description: 'Crypto markets, answers and archived chats that stay readable offline.',
  lang: 'en',
  // Not the splash, which waits: Home is drawn at once, and leads visitors to the splash.
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  theme_color: BACKGROUND,
  background_color: BACKGROUND,
  categories: ['finance'],
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/monochrome.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'monochrome' },
  ],
  share_target: {
    action: SHARE_PATH,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: SHARE_FIELDS.title,
      text: SHARE_FIELDS.text,
      url: SHARE_FIELDS.url,
      files: [{ name: SHARE_FIELDS.picture, accept: [...CHAT_IMAGE_TYPES] }],
    },
  },
  shortcuts: [shortcut('New Chat', '/chat'), shortcut('Market', '/crypto'), shortcut('Archive', '/archive')],
  screenshots: [
    { src: '/screenshots/narrow.png', sizes: '390x844', type: 'image/png', form_factor: 'narrow', label: 'The market on a phone' },
    { src: '/screenshots/wide.png', sizes: '1280x800', type: 'image/png', form_factor: 'wide', label: 'The market on a desktop' },
  ],
});
