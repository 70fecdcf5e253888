import { type ComponentType, useEffect, useState } from 'react';
import { type Load, lateComponent } from './late-component.tsx';
import { toast } from './toast.ts';

const FAILURE = 'This could not load. Check your connection, or reload the page.';

/** Creates a dialog whose code loads when it opens. Where the code does not load, the dialog closes, `failure` shows, and its page stays as it is. */
export function lateDialog<Props extends { onClose: () => void }>(code: Load<Props>, failure = FAILURE): ComponentType<Props> {
  const { component: Dialog, load, isHere } = lateComponent(code);
  return (props) => {
    const { onClose } = props;
    const [isLoaded, setLoaded] = useState(isHere);
    useEffect(() => {
      if (isLoaded) return;
      let isWanted = true;
      const fail = () => {
        if (!isWanted) return;
        onClose();
        toast(failure);
      };
      load().then(() => setLoaded(true), fail);
      return () => {
        isWanted = false;
      };
    }, [isLoaded, onClose]);
    return isLoaded && <Dialog {...props} />;
  };
}
