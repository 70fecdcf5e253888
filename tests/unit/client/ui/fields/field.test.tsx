import { fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { useForm } from 'react-hook-form';
import { describe, expect, it, vi } from 'vitest';
import { Checkbox, PasswordField, TextArea, TextField } from '#client/ui/fields/field.tsx';

describe('TextField', () => {
  it('is named by its label and described by its hint', () => {
    render(<TextField label="Email" hint="We send a code" />);
    const input = screen.getByLabelText('Email');
    expect(describedBy(input)).toEqual(['We send a code']);
    expect(input.hasAttribute('aria-invalid')).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('announces its error and points to it', () => {
    render(<TextField label="Email" hint="We send a code" error="Email is required" />);
    const input = screen.getByLabelText('Email');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('Email is required');
    expect(describedBy(input)).toEqual(['We send a code', 'Email is required']);
  });

  it('forwards a ref to its input', () => {
    const ref = createRef<HTMLInputElement>();
    render(<TextField label="Email" ref={ref} />);
    expect(ref.current).toBe(screen.getByLabelText('Email'));
  });

  it('gives two fields with the same label different ids', () => {
    render(
      <>
        <TextField label="Name" error="first" />
        <TextField label="Name" error="second" />
      </>,
    );
    expect(screen.getAllByLabelText('Name').map(describedBy)).toEqual([['first'], ['second']]);
  });

  it('works with react-hook-form', async () => {
    const submit = vi.fn();
    render(<Form submit={submit} />);
    fireEvent.click(screen.getByText('Send'));
    expect((await screen.findAllByRole('alert')).map((alert) => alert.textContent)).toEqual([
      'Email is required',
      'Terms condition is required',
    ]);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));

    fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'a@b.co' } });
    fireEvent.input(screen.getByLabelText('Message'), { target: { value: 'hello' } });
    fireEvent.click(screen.getByLabelText('I agree'));
    fireEvent.click(screen.getByText('Send'));
    await vi.waitFor(() => expect(submit).toHaveBeenCalledWith({ email: 'a@b.co', message: 'hello', terms: true }));
  });
});

describe('PasswordField', () => {
  it('shows and hides the text, and never submits the form', () => {
    const submit = vi.fn();
    render(
      <form onSubmit={submit}>
        <PasswordField label="Password" defaultValue="Secret1" />
      </form>,
    );
    const input = screen.getByLabelText<HTMLInputElement>('Password');
    expect(input.type).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input.type).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(input.type).toBe('password');
    expect(input.value).toBe('Secret1');
    expect(submit).not.toHaveBeenCalled();
  });
});

function Form({ submit }: { submit: (values: object) => void }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '', message: '', terms: false } });
  return (
    <form onSubmit={handleSubmit((values) => submit(values))}>
      <TextField label="Email" {...register('email', { required: 'Email is required' })} error={formState.errors.email?.message} />
      <TextArea label="Message" {...register('message')} />
      <Checkbox
        label="I agree"
        {...register('terms', { required: 'Terms condition is required' })}
        error={formState.errors.terms?.message}
      />
      <button type="submit">Send</button>
    </form>
  );
}

/** Returns the texts that `aria-describedby` references, in order. */
function describedBy(element: HTMLElement): (string | null | undefined)[] {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent);
}
