import { useSyncExternalStore } from 'react';

/** An on-off choice that the device remembers. It is of the device, not of the user. */
export interface DeviceSwitch {
  isOn: () => boolean;
  set: (on: boolean) => void;
  /** Calls `listener` after each change, also in another tab; returns a function that stops it. */
  subscribe: (listener: () => void) => () => void;
}

const CHANGED = 'device-switch';

/** Creates a switch that is stored under `key`. */
export function createDeviceSwitch(key: string, isOnByDefault: boolean): DeviceSwitch {
  /** The choice while the device refuses to store it: it holds until the page is left. */
  let unstored: boolean | undefined;
  return {
    isOn() {
      if (unstored !== undefined) return unstored;
      try {
        return (localStorage.getItem(key) ?? String(isOnByDefault)) === 'true';
      } catch {
        return isOnByDefault; // storage is refused
      }
    },
    set(on) {
      unstored = undefined;
      try {
        localStorage.setItem(key, String(on));
      } catch {
        unstored = on;
      }
      window.dispatchEvent(new Event(CHANGED));
    },
    subscribe(listener) {
      window.addEventListener(CHANGED, listener);
      window.addEventListener('storage', listener);
      return () => {
        window.removeEventListener(CHANGED, listener);
        window.removeEventListener('storage', listener);
      };
    },
  };
}

export const useDeviceSwitch = ({ isOn, subscribe }: DeviceSwitch): boolean => useSyncExternalStore(subscribe, isOn);
