import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { CodeBoxes } from '#client/features/account/verification/code-boxes.tsx';
import { MESSAGES } from '#contract/account/account-rules.ts';

const complete = vi.fn<() => void>();

function Form() {
  const [value, setValue] = useState(['', '', '', '']);
  return <CodeBoxes value={value} onChange={setValue} onComplete={complete} />;
}

const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox');
const code = () =>
  boxes()
    .map((box) => box.value || '_')
    .join('');
const focused = () => boxes().indexOf(document.activeElement as HTMLInputElement) + 1;
const box = (place: number) => boxes()[place - 1] as HTMLInputElement;
const type = (place: number, text: string) => fireEvent.change(box(place), { target: { value: text } });
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });

beforeEach(() => {
  complete.mockClear();
  render(<Form />);
});

it('has four numeric boxes, focuses the first and accepts autofill', () => {
  expect(boxes()).toHaveLength(4);
  expect(boxes().map((each) => each.inputMode)).toEqual(Array(4).fill('numeric'));
  expect(focused()).toBe(1);
  expect(box(1).autocomplete).toBe('one-time-code');
  type(1, '4711');
  expect(code()).toBe('4711');
  expect(focused()).toBe(4);
});

it('moves forward on entry and back on delete', () => {
  for (const [index, digit] of [...'4711'].entries()) {
    expect(focused()).toBe(index + 1);
    type(index + 1, digit);
  }
  expect(code()).toBe('4711');
  expect(focused()).toBe(4);
  type(4, '');
  expect([code(), focused()]).toEqual(['471_', 3]);
  type(3, '');
  expect([code(), focused()]).toEqual(['47__', 2]);
});

it('deletes the digit before from an empty box', () => {
  type(1, '4');
  expect(focused()).toBe(2);
  press('Backspace');
  expect([code(), focused()]).toEqual(['____', 1]);
  press('Backspace');
  expect(focused()).toBe(1);
});

it('moves with the arrow keys, within the boxes', () => {
  press('ArrowRight');
  press('ArrowRight');
  expect(focused()).toBe(3);
  press('ArrowLeft');
  expect(focused()).toBe(2);
  press('ArrowLeft');
  press('ArrowLeft');
  expect(focused()).toBe(1);
});

it.each([
  ['12', '2'],
  ['21', '2'],
  ['11', '1'],
])('replaces a digit that is typed over: the input is %s', (held, kept) => {
  type(1, '1');
  type(1, held);
  expect(code()).toBe(`${kept}___`);
  expect(focused()).toBe(2);
});

it.each([
  ['4711', '4711'],
  [' 47 11 ', '4711'],
  ['Your code: 4711.', '4711'],
  ['471', '471_'],
  ['471199', '4711'],
])('takes a pasted code: "%s"', (text, expected) => {
  fireEvent.paste(box(3), { clipboardData: { getData: () => text } });
  expect(code()).toBe(expected);
});

it('accepts only digits, and says so until one is typed', () => {
  type(1, 'a');
  expect(code()).toBe('____');
  expect(screen.getByRole('alert').textContent).toBe(MESSAGES.codeDigits);
  expect(screen.getByRole('alert').textContent).toBe('Only number acceptable!');
  expect(focused()).toBe(1);
  type(1, '7');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.paste(box(2), { clipboardData: { getData: () => 'abc' } });
  expect(code()).toBe('7___');
  expect(screen.getByRole('alert').textContent).toBe('Only number acceptable!');
});

it('is complete when the last box or the last gap is filled, also by paste and by the same digit', () => {
  for (const place of [1, 2, 4]) type(place, '7');
  expect(complete).not.toHaveBeenCalled();
  type(3, '1');
  expect(complete).toHaveBeenCalledTimes(1);
  type(2, '5');
  expect(complete).toHaveBeenCalledTimes(1);
  fireEvent.keyDown(box(4), { key: '7' });
  expect(complete).toHaveBeenCalledTimes(2);
  fireEvent.paste(box(1), { clipboardData: { getData: () => '4711' } });
  expect(complete).toHaveBeenCalledTimes(3);
});
