import { useEffect } from 'react';
import { useDeviceSwitch } from '#client/platform/device-choices/device-switch.ts';
import { slashOpensPalette } from '#client/platform/device-choices/slash-opens-palette.ts';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { openPalette, paletteOpen } from '#client/platform/palette.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { useValue } from '#client/platform/use-value.ts';

const load = () => import('./palette.tsx');
const FAILURE = 'Search could not load. Check your connection and try again.';
const Palette = lateDialog(async () => ({ default: (await load()).Palette }), FAILURE);

const close = () => paletteOpen.set(false);

/** Shows the palette to a signed-in user: on `/`, on Ctrl+K or Cmd+K, and wherever `openPalette` is called. */
export function PaletteHost() {
  const isSignedIn = useSession().status === 'signed-in';
  const isOpen = useValue(paletteOpen) && isSignedIn;
  const hasSlash = useDeviceSwitch(slashOpensPalette);

  // Hides the hint in the navigation.
  useEffect(() => {
    document.documentElement.dataset.slash = hasSlash ? 'on' : 'off';
  }, [hasSlash]);

  useEffect(() => {
    if (!isSignedIn) return close();
    const stop = preloadWhenIdle([load]);
    document.addEventListener('keydown', openByKey);
    return () => {
      stop();
      document.removeEventListener('keydown', openByKey);
    };
  }, [isSignedIn]);

  return isOpen && <Palette onClose={close} />;
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role=listbox], [role=menu]';

/** A key that a field takes is the field's. A dialog stays in front. */
function openByKey(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented, isComposing, repeat } = event;
  if (defaultPrevented || isComposing || repeat || altKey) return;
  const isChord = ctrlKey !== metaKey && key.toLowerCase() === 'k';
  const isTyping = target instanceof Element && target.closest(FIELDS);
  const isSlash = key === '/' && !ctrlKey && !metaKey && !isTyping && slashOpensPalette.isOn();
  if (!isChord && !isSlash) return;
  event.preventDefault();
  if (paletteOpen.get()) close();
  else if (!document.documentElement.hasAttribute('data-modal')) openPalette();
}
