import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { readSharedPicture } from './read-shared-chat.ts';
import styles from './shared-page.module.css';

/** A picture of a shared question. Loads when it comes near the screen. */
export function SharedPicture({ token, place }: { token: string; place: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [tries, setTries] = useState(0);
  const [picture, setPicture] = useState<Blob>();
  const [error, setError] = useState<unknown>();
  const url = useObjectUrl(picture);

  useEffect(() => {
    if (!frame.current || typeof IntersectionObserver === 'undefined') return setNear(true);
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), {
      rootMargin: '400px',
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    if (!isNear) return;
    let isCurrent = true;
    setError(undefined);
    readSharedPicture(token, place).then(
      (content) => isCurrent && setPicture(content),
      (reason: unknown) => isCurrent && setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [isNear, token, place, tries]);

  return (
    <div ref={frame} className={styles.picture}>
      {url && <img src={url} alt="Chart that the question is about" />}
      {!url && error === undefined && <Skeleton width={240} height={160} radius={12} />}
      {error !== undefined && (
        <>
          <p>The picture could not be loaded. {errorMessage(error)}</p>
          <Button variant="ghost" icon={REFRESH} onClick={() => setTries(tries + 1)}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
