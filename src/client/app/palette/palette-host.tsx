import { useEffect, useState } from 'react';
import { useDeviceSwitch } from '#client/platform/device-choices/device-switch.ts';
import { slashOpensPalette } from '#client/platform/device-choices/slash-opens-palette.ts';
import { lateComponent } from '#client/platform/late-component.tsx';
import { openPalette, paletteOpen } from '#client/platform/palette.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { useValue } from '#client/platform/use-value.ts';

const { component: Palette, load } = lateComponent<{ onClose: () => void }>(() =>
  import('./palette.tsx').then((module) => ({ default: module.Palette })),
);

const close = () => paletteOpen.set(false);

/** Shows the palette to a signed-in user: on `/`, on Ctrl+K or Cmd+K, and wherever `openPalette` is called. */
export function PaletteHost() {
  const isSignedIn = useSession().status === 'signed-in';
  const isOpen = useValue(paletteOpen) && isSignedIn;
  const [isLoaded, setLoaded] = useState(false);
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

  useEffect(() => {
    if (!isOpen) return;
    load().then(
      () => setLoaded(true),
      () => {
        close();
        toast('Search could not load. Check your connection and try again.');
      },
    );
  }, [isOpen]);

  return isOpen && isLoaded ? <Palette onClose={close} /> : null;
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
