import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeleteAccount } from '#client/features/help/delete-account.tsx';
import HelpPage from '#client/features/help/help-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import type { ContactMessage } from '#client/platform/outbox/contacts.ts';
import { startSendingContacts } from '#client/platform/outbox/send-contacts.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { fakeUpload } from '#tests/support/client/fake-upload.ts';

const taken = { status: 200, body: { status: 200, message: 'We have it.', data: { id: 'server-1' } } };

let users = 0;
let userId: string;
const db = () => userDb(userId);
const waiting = async () => (await db().outbox.toArray()).map(({ body }) => body as ContactMessage);

const show = (page: React.ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{page}</SWRConfig>);

/** Once, like the page's startup. */
let started = false;

beforeEach(async () => {
  users += 1;
  userId = `help-${users}`;
  fakeApi({ [`GET /api/auth/user/${userId}/`]: { status: 200, body: { status: 200, data: profileOf({ id: userId }) } } });
  fakeUpload(() => taken);
  reportReachable();
  await signIn(makeTokens({ sub: userId }), true);
  if (!started) startSendingContacts();
  started = true;
});

afterEach(async () => {
  cleanup();
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
});

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, bytes: number[], type = 'image/png') => new File([new Uint8Array(bytes)], name, { type });

async function openForm(button = 'Contact Us', title = 'Contact Us') {
  fireEvent.click(screen.getByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await dialog.findByLabelText('Message');
  const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
  return {
    dialog,
    field,
    write: (label: string, value: string) => fireEvent.change(field(label), { target: { value } }),
    attach: (...files: File[]) => fireEvent.change(field('Add images'), { target: { files } }),
    images: () => dialog.queryAllByRole('listitem').map((item) => item.textContent),
    send: () => fireEvent.click(dialog.getByRole('button', { name: 'Send' })),
    close: () => fireEvent.click(dialog.getByRole('button', { name: 'Close' })),
    alerts: () => dialog.queryAllByRole('alert').map((alert) => alert.textContent),
  };
}

describe('questions and answers', () => {
  it('are eight, and a search leaves what mentions it, open and marked', async () => {
    const { container } = show(<HelpPage />);
    expect(container.querySelectorAll('details')).toHaveLength(8);
    expect(container.querySelector('details[open]')).toBeNull();
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search help' }), { target: { value: 'priority' } });
    await waitFor(() => expect(container.querySelectorAll('details')).toHaveLength(1));
    expect(container.querySelectorAll('details[open]')).toHaveLength(1);
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toContain('priority');
    expect(screen.getByText('1 answer found')).toBeDefined();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zebra' } });
    expect(await screen.findByText('No answer mentions "zebra".')).toBeDefined();
  });
});

describe('the form', () => {
  it('fills in the sender, and keeps the email read-only', async () => {
    show(<HelpPage />);
    const form = await openForm();
    expect([form.field('Name').value, form.field('Email').value, form.field('Email').readOnly]).toEqual([
      'Ada King',
      'ada@example.com',
      true,
    ]);
  });

  it('requires a name and a message', async () => {
    show(<HelpPage />);
    const form = await openForm();
    form.write('Name', ' ');
    form.send();
    await waitFor(() => expect(form.alerts()).toEqual(['Name is required!', 'Type Message is required!']));
    expect(await waiting()).toEqual([]);
  });

  it('accepts several images, appends new ones, and lets each be removed', async () => {
    show(<HelpPage />);
    const form = await openForm();
    form.attach(file('one.png', PNG), file('two.jpg', JPEG));
    await waitFor(() => expect(form.images()).toHaveLength(2));
    form.attach(file('three.png', PNG));
    await waitFor(() => expect(form.images().map((item) => item?.split('1 KB')[0])).toEqual(['one.png', 'two.jpg', 'three.png']));
    fireEvent.click(form.dialog.getByRole('button', { name: 'Remove two.jpg' }));
    await waitFor(() => expect(form.images()).toHaveLength(2));
    expect(await db().images.count()).toBe(2);
  });

  it('takes no picture of more than 16 million pixels', async () => {
    vi.stubGlobal('createImageBitmap', async ({ name }: File) => ({
      width: 4000,
      height: name === 'huge.png' ? 4001 : 4000,
      close: () => {},
    }));
    show(<HelpPage />);
    const form = await openForm();
    form.attach(file('huge.png', PNG), file('fine.png', PNG));
    await waitFor(() => expect(form.alerts().join()).toContain('"huge.png" has more than 16 million pixels.'));
    await waitFor(() => expect(form.images()).toHaveLength(1));
    vi.unstubAllGlobals();
  });

  it('says why each rejected file cannot be sent', async () => {
    show(<HelpPage />);
    const form = await openForm();
    const large = file('large.png', PNG);
    Object.defineProperty(large, 'size', { value: 8 * 1024 * 1024 + 1 });
    form.attach(file('notes.png', [1, 2, 3, 4]), large, file('fine.png', PNG));
    await waitFor(() => expect(form.alerts().join()).toContain('"notes.png" is not a PNG or JPEG image.'));
    expect(form.alerts().join()).toContain('"large.png" is larger than 8 MB.');
    await waitFor(() => expect(form.images().join()).toContain('fine.png'));
    form.attach(...Array.from({ length: 5 }, (_, index) => file(`${index}.png`, PNG)));
    await waitFor(() => expect(form.alerts()).toEqual(['At most 5 images can be attached.']));
    expect(await db().images.count()).toBe(5);
  });

  it('is as it was left after closing it, and after another start', async () => {
    const { unmount } = show(<HelpPage />);
    const form = await openForm();
    form.write('Message', 'Half a thought');
    form.attach(file('one.png', PNG));
    await waitFor(() => expect(form.images()).toHaveLength(1));
    form.close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const again = await openForm();
    expect([again.field('Message').value, again.field('Name').value]).toEqual(['Half a thought', 'Ada King']);
    unmount();
    show(<HelpPage />);
    const later = await openForm();
    expect(later.field('Message').value).toBe('Half a thought');
    await waitFor(() => expect(later.images()).toHaveLength(1));
  });
});

describe('a message', () => {
  async function send(text = 'My chart is upside down.') {
    const form = await openForm();
    form.write('Message', text);
    form.attach(file('one.png', PNG), file('two.jpg', JPEG));
    await waitFor(() => expect(form.images()).toHaveLength(2));
    form.send();
  }

  it('is sent with its images, is confirmed, and leads home', async () => {
    const uploads = fakeUpload(() => taken);
    show(<HelpPage />);
    await send();
    const thanks = within(await screen.findByRole('dialog', { name: 'Thanks for reaching out!' }));
    expect(
      thanks.getByText('Someone from the support team will review your issue & get back to you as soon as possible. Please keep patience.'),
    ).toBeDefined();
    expect(thanks.queryByText(/will be sent when/)).toBeNull();
    expect(uploads).toHaveLength(1);
    expect(uploads[0]?.call).toBe('POST /api/contact-us/send-message');
    expect(['kind', 'user_id', 'name', 'email', 'message'].map((name) => uploads[0]?.form.get(name))).toEqual([
      'contact',
      userId,
      'Ada King',
      'ada@example.com',
      'My chart is upside down.',
    ]);
    expect(uploads[0]?.form.getAll('files').map((each) => (each as File).name)).toEqual(['one.png', 'two.jpg']);
    expect([await db().drafts.count(), await db().images.count(), await db().outbox.count()]).toEqual([0, 0, 0]);
    fireEvent.click(thanks.getByRole('button', { name: 'Back to Home' }));
    expect(location.pathname).toBe('/home');
  });

  it('waits without a connection, says so, and is sent once there is one', async () => {
    const uploads = fakeUpload(() => taken);
    fakeApi({});
    reportUnreachable();
    show(<HelpPage />);
    await send();
    const thanks = within(await screen.findByRole('dialog', { name: 'Thanks for reaching out!' }));
    expect(thanks.getByText(/will be sent when you are back online/)).toBeDefined();
    expect(await screen.findByText('Waiting')).toBeDefined();
    expect((await waiting())[0]).toMatchObject({ message: 'My chart is upside down.', files: [{ name: 'one.png' }, { name: 'two.jpg' }] });
    expect(uploads).toEqual([]);
    reportReachable();
    expect(await screen.findByText('Sent')).toBeDefined();
    await waitFor(() => expect(screen.queryByText(/will be sent when/)).toBeNull());
    expect(uploads).toHaveLength(1);
  });

  it('that a server in trouble cannot take waits too', async () => {
    fakeUpload(() => ({ status: 500, body: { status: 500, code: 'internal', message: 'Trouble' } }));
    show(<HelpPage />);
    await send();
    expect(await screen.findByText(/cannot take your message right now/)).toBeDefined();
    expect(await screen.findByText('Waiting')).toBeDefined();
  });

  it('that is refused says why, and can be sent again or discarded', async () => {
    fakeUpload(() => ({ status: 422, body: { status: 422, code: 'no', message: 'An image cannot be read.' } }));
    show(<HelpPage />);
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain('An image cannot be read.');
    fireEvent.click(within(screen.getByRole('dialog', { name: 'Contact Us' })).getByText('Close'));
    expect(await screen.findByText('Failed')).toBeDefined();
    expect(screen.getByText('2 images', { exact: false })).toBeDefined();

    const uploads = fakeUpload(() => taken);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Sent')).toBeDefined();
    expect(uploads).toHaveLength(1);
  });

  it('that was refused is discarded only after a question', async () => {
    fakeUpload(() => ({ status: 413, body: { status: 413, code: 'no', message: 'Too large.' } }));
    show(<HelpPage />);
    await send();
    fireEvent.click(await screen.findByText('Close'));
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    const question = within(await screen.findByRole('dialog', { name: 'Discard message' }));
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('Failed')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    fireEvent.click(within(await screen.findByRole('dialog', { name: 'Discard message' })).getByRole('button', { name: 'Discard' }));
    expect(await screen.findByText(/status appear here/)).toBeDefined();
    expect(await db().outbox.count()).toBe(0);
  });
});

it('the deletion of an account is a message of its own kind, with a draft of its own', async () => {
  const uploads = fakeUpload(() => taken);
  await db().drafts.put({ key: 'contact', text: 'Another matter', imageId: null, editing: null, name: 'Ada', files: [] });
  show(<DeleteAccount />);
  const form = await openForm('Delete Account', 'User Deletion');
  expect(form.dialog.getByText(/deletes your account and what it holds/)).toBeDefined();
  expect(form.field('Message').value).toBe('');
  form.write('Message', 'Please delete my account.');
  form.send();
  await screen.findByRole('dialog', { name: 'Thanks for reaching out!' });
  expect([uploads[0]?.form.get('kind'), uploads[0]?.form.get('message')]).toEqual(['deletion', 'Please delete my account.']);
  expect((await db().drafts.toArray()).map(({ key }) => key)).toEqual(['contact']);
});
