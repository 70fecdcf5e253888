import { tokenColors } from '#client/ui/theme/token-colors.ts';
import type { Style } from './break-lines.ts';
import { type ImageContent, type Layout, layOut } from './lay-out.ts';

/** Pixels of the picture per px of its layout. */
const SCALE = 2;
const RADIUS = 12;
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const COLORS = ['bg', 'surface', 'line', 'ink', 'ink-2', 'tide', 'tide-soft'] as const;

export interface ChatImage {
  picture: Blob;
  /** What the picture says, for people who cannot see it. */
  text: string;
  isCut: boolean;
}

/**
 * Draws a chat as a PNG, in the colors and the font of an element of the app. Runs on the device alone.
 * @throws Error if the browser gives no canvas or no picture
 */
export async function drawImage(place: HTMLElement, chat: ImageContent): Promise<ChatImage> {
  const family = getComputedStyle(place).fontFamily;
  const fontOf = ({ size, weight, mono }: Style) => `${weight} ${size}px ${mono ? MONO : family}`;
  // Without its font, the text is drawn in another one, but drawn.
  await Promise.allSettled([400, 600].map((weight) => document.fonts.load(`${weight} 16px ${family}`)));
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The browser gives no canvas');
  const layout = layOut(chat, (text, style) => {
    context.font = fontOf(style);
    return context.measureText(text).width;
  });
  canvas.width = layout.width * SCALE;
  canvas.height = layout.height * SCALE;
  context.scale(SCALE, SCALE);
  paint(context, layout, tokenColors(place, COLORS), fontOf);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) throw new Error('The browser gives no picture');
  return { picture, text: layout.text, isCut: layout.isCut };
}

function paint(
  context: CanvasRenderingContext2D,
  { width, height, ops }: Layout,
  colors: Record<(typeof COLORS)[number], string>,
  fontOf: (style: Style) => string,
): void {
  context.fillStyle = colors.bg;
  context.fillRect(0, 0, width, height);
  for (const op of ops) {
    if (op.kind === 'box') {
      context.beginPath();
      context.roundRect(op.x, op.y, op.width, op.height, RADIUS);
      context.fillStyle = colors[op.fill];
      context.fill();
      context.strokeStyle = colors.line;
      if (op.hasEdge) context.stroke();
    } else {
      context.font = fontOf(op.style);
      context.fillStyle = colors[op.style.color];
      context.direction = op.isRtl ? 'rtl' : 'ltr';
      context.textAlign = 'start';
      context.fillText(op.text, op.x, op.y);
    }
  }
}
