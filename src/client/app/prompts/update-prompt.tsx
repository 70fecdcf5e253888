import { Button } from '#client/ui/buttons/button.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { PRODUCT } from '#domain/product.ts';
import { Prompt } from './prompt.tsx';

interface UpdatePromptProps {
  /** Activates the new version and reloads. */
  update: () => void;
  onLater: () => void;
}

/** Offers a waiting version, which never activates without consent. */
export const UpdatePrompt = ({ update, onLater }: UpdatePromptProps) => (
  <Prompt
    icon={REFRESH}
    title={`A new version of ${PRODUCT} is ready.`}
    text="The page reloads with it. What you have written is kept."
    actions={
      <>
        <Button variant="ghost" onClick={onLater}>
          Later
        </Button>
        <Button onClick={update}>Update</Button>
      </>
    }
  />
);
