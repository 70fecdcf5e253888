import { type ComponentType, useEffect, useState } from 'react';
import { type Load, lateComponent } from './late-component.tsx';
import { toast } from './toast.ts';

/**
 * Creates a dialog whose code loads when it opens. Where the code does not load, the dialog closes and a message says so, and its
 * page stays as it is.
 */
export function lateDialog<Props extends { onClose: () => void }>(code: Load<Props>): ComponentType<Props> {
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
        toast('This could not load. Check your connection, or reload the page.');
      };
      load().then(() => setLoaded(true), fail);
      return () => {
        isWanted = false;
      };
    }, [isLoaded, onClose]);
    return isLoaded && <Dialog {...props} />;
  };
}
