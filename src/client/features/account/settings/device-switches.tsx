import { useDeviceSwitch } from '#client/platform/device-choices/device-switch.ts';
import { useAmountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { hideAmounts } from '#client/platform/device-choices/hide-amounts.ts';
import { slashOpensPalette } from '#client/platform/device-choices/slash-opens-palette.ts';
import { Switch } from '#client/ui/fields/switch.tsx';

/** The choices that this device remembers. */
export const DeviceSwitches = () => (
  <div>
    <Switch
      label="Hide amounts"
      detail="Hides your bots' money on this device, also in its notifications. Percentages and market prices stay."
      on={useAmountsHidden()}
      onChange={(on) => void hideAmounts(on)}
    />
    <Switch
      label="Search with the / key"
      detail="Ctrl+K (⌘K on a Mac) always opens the search."
      on={useDeviceSwitch(slashOpensPalette)}
      onChange={slashOpensPalette.set}
    />
  </div>
);
