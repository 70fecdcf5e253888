import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createDeviceSwitch, useDeviceSwitch } from '#client/platform/device-choices/device-switch.ts';

const choice = createDeviceSwitch('test-switch', true);
const Shown = () => <p>{useDeviceSwitch(choice) ? 'on' : 'off'}</p>;

it('is remembered, shows at once, and follows another tab', () => {
  render(<Shown />);
  expect(screen.getByText('on')).toBeDefined();
  act(() => choice.set(false));
  expect(screen.getByText('off')).toBeDefined();
  expect(createDeviceSwitch('test-switch', true).isOn()).toBe(false);
  act(() => {
    localStorage.setItem('test-switch', 'true');
    window.dispatchEvent(new StorageEvent('storage', { key: 'test-switch' }));
  });
  expect(screen.getByText('on')).toBeDefined();
});

it('has its default where storage is refused', () => {
  const refused = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  expect(createDeviceSwitch('test-switch', true).isOn()).toBe(true);
  refused.mockRestore();
});

it('changes until the page is left where the device stores nothing', () => {
  localStorage.setItem('test-switch', 'true');
  render(<Shown />);
  const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  act(() => choice.set(false));
  expect(screen.getByText('off')).toBeDefined();
  refused.mockRestore();
  act(() => choice.set(true));
  expect(screen.getByText('on')).toBeDefined();
});
