import { useEffect, useRef, useState } from 'react';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import styles from './attach-drop.module.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts a picture dropped anywhere on the page, and shows a hint while one is dragged over it. */
export function AttachDrop({ onChoose }: { onChoose: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const choose = useRef(onChoose);
  choose.current = onChoose;

  useEffect(() => {
    let depth = 0; // every element under the pointer fires enter and leave
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const hover = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault(); // otherwise the browser opens the file
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      setOver(depth > 0);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) choose.current(file);
    };
    const ended = new AbortController();
    const { signal } = ended;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragover', hover, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => ended.abort();
  }, []);

  if (!over) return null;
  return (
    <div className={styles.drop}>
      <p>
        <Icon name={IMAGE} />
        Drop a chart picture
      </p>
    </div>
  );
}
