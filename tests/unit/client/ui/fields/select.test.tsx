import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { matchesCountry } from '#client/features/profile/countries.ts';
import { Select } from '#client/ui/fields/select.tsx';

const COUNTRIES = ['Austria', 'Belgium', 'Côte d’Ivoire', 'Germany', 'Greece', 'Spain'].map((label) => ({
  value: label.slice(0, 3),
  label,
}));

interface OwnerProps {
  searchable: boolean;
  onChange: (value: string) => void;
}

function Owner({ searchable, onChange }: OwnerProps) {
  const [value, setValue] = useState('Ger');
  const change = (next: string) => {
    onChange(next);
    setValue(next);
  };
  return <Select label="Country" value={value} options={COUNTRIES} onChange={change} search={searchable ? matchesCountry : undefined} />;
}

function setup({ searchable = false } = {}) {
  const onChange = vi.fn();
  render(<Owner searchable={searchable} onChange={onChange} />);
  return { button: screen.getByRole('button'), onChange };
}

const focused = () => document.activeElement as HTMLElement;
const press = (key: string) => fireEvent.keyDown(focused(), { key });
const active = () => document.getElementById(focused().getAttribute('aria-activedescendant') ?? '')?.textContent;

describe('Select', () => {
  it('names its button by label and choice, and opens on the chosen option', () => {
    const { button } = setup();
    expect(screen.getByRole('button', { name: 'Country Germany' })).toBe(button);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe(screen.getByRole('listbox', { name: 'Country' }));
    expect(active()).toBe('Germany');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Germany');
  });

  it('moves with the arrow keys, Home and End, and stops at both ends', () => {
    const { button } = setup();
    button.focus();
    press('ArrowDown');
    const steps: [string, string][] = [
      ['ArrowDown', 'Greece'],
      ['End', 'Spain'],
      ['ArrowDown', 'Spain'],
      ['ArrowUp', 'Greece'],
      ['Home', 'Austria'],
      ['ArrowUp', 'Austria'],
    ];
    for (const [key, expected] of steps) {
      press(key);
      expect(active(), key).toBe(expected);
    }
  });

  it.each(['Enter', ' '])('chooses with %j and gives the focus back', (key) => {
    const { button, onChange } = setup();
    fireEvent.click(button);
    press('ArrowDown');
    press(key);
    expect(onChange.mock.calls).toEqual([['Gre']]);
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(focused()).toBe(button);
    expect(button.textContent).toBe('Greece');
  });

  it('finds an option by its first letters, whatever their accents', () => {
    const { button } = setup();
    fireEvent.click(button);
    press('c');
    press('o');
    expect(active()).toBe('Côte d’Ivoire');
  });

  it('closes unchanged on Escape, without propagating the key', () => {
    const outer = vi.fn();
    addEventListener('keydown', outer);
    const { button, onChange } = setup();
    fireEvent.click(button);
    press('ArrowDown');
    press('Escape');
    removeEventListener('keydown', outer);
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(focused()).toBe(button);
    expect(onChange).not.toHaveBeenCalled();
    expect(outer).not.toHaveBeenCalled();
  });

  it('closes when the focus moves elsewhere, and leaves it there', () => {
    const { button } = setup();
    const elsewhere = document.body.appendChild(document.createElement('button'));
    fireEvent.click(button);
    fireEvent.blur(focused(), { relatedTarget: elsewhere });
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(focused()).not.toBe(button);
    elsewhere.remove();
  });

  it('does not report the current choice again', () => {
    const { button, onChange } = setup();
    fireEvent.click(button);
    fireEvent.click(screen.getByRole('option', { name: 'Germany' }));
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('filters while the user types, moves through the matches, and says when there are none', () => {
    const { button, onChange } = setup({ searchable: true });
    fireEvent.click(button);
    const search = screen.getByRole('combobox');
    expect(focused()).toBe(search);
    fireEvent.change(search, { target: { value: 'COTE' } });
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Côte d’Ivoire']);
    fireEvent.change(search, { target: { value: 'atlantis' } });
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(screen.getByRole('status').textContent).toBe('No search data found!');
    press('Enter');
    expect(onChange).not.toHaveBeenCalled();
    fireEvent.change(search, { target: { value: 'g' } });
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Belgium', 'Germany', 'Greece']);
    press('ArrowDown');
    press('ArrowDown');
    press('Enter');
    expect(onChange.mock.calls).toEqual([['Gre']]);
    expect(focused()).toBe(button);
  });
});
