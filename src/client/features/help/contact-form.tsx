import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { sendContacts } from '#client/platform/outbox/send-contacts.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { TextArea, TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { contactForm } from '#contract/contact.ts';
import {
  type ContactDraft,
  type ContactKind,
  changeContactDraft,
  emptyDraft,
  readContactDraft,
  writeDraftedContact,
} from './contact-draft.ts';
import { ContactFiles } from './contact-files.tsx';
import styles from './contact-form.module.css';

export interface Sender {
  userId: string;
  /** First and last name. */
  name: string;
  email: string;
}

interface ContactFormProps {
  kind: ContactKind;
  sender: Sender;
  /** Called with the id of the queued message. */
  onWritten: (id: string) => void;
}

/** The form for a message to support. The draft stays on the device until it is sent. */
export function ContactForm(props: ContactFormProps) {
  const { kind, sender } = props;
  const db = userDb(sender.userId);
  const [draft, setDraft] = useState<ContactDraft>();
  useEffect(() => {
    let current = true;
    const begin = (read: ContactDraft) => current && setDraft(read);
    const afresh = (error: unknown) => {
      console.error('reading a draft failed', error);
      begin(emptyDraft(kind, sender.name));
    };
    readContactDraft(db, kind, sender.name).then(begin, afresh);
    return () => {
      current = false;
    };
  }, [db, kind, sender.name]);
  return draft ? <Fields {...props} draft={draft} /> : <Skeleton height={420} radius={8} />;
}

function Fields({ kind, sender: { userId, email }, draft, onWritten }: ContactFormProps & { draft: ContactDraft }) {
  const db = userDb(userId);
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(contactForm),
    mode: 'onSubmit', // validating on blur would move the button away from the click
    defaultValues: { name: draft.name, message: draft.text },
  });
  const { errors, isSubmitting } = formState;
  const stored = useLive(`${db.name}/drafts/${kind}`, async () => (await db.drafts.get(kind))?.files ?? []);
  const [noRoom, setNoRoom] = useState(false);

  useEffect(() => {
    const typing = watch(({ name = '', message = '' }) => {
      changeContactDraft(db, kind, { name, text: message }).catch((error: unknown) => console.error('saving a draft failed', error));
    });
    return () => typing.unsubscribe();
  }, [watch, db, kind]);

  const submit = handleSubmit(async (fields) => {
    setNoRoom(false);
    try {
      const id = await writeDraftedContact(db, { ...fields, kind, user_id: userId, email });
      sendContacts();
      onWritten(id);
    } catch (error) {
      console.error('storing the message failed', error);
      setNoRoom(true);
    }
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
      <TextField label="Email" type="email" readOnly value={email} />
      <TextArea label="Message" rows={5} data-autofocus error={errors.message?.message} {...register('message')} />
      <ContactFiles db={db} kind={kind} files={stored ?? draft.files} />
      {noRoom && <FormError>Your message was not sent because this device has no space. Free some space and send it again.</FormError>}
      <Button type="submit" block busy={isSubmitting}>
        Send
      </Button>
    </form>
  );
}
