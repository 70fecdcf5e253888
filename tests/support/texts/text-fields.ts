import type * as z from 'zod/mini';

/** The parts of a zod definition that contain other schemas. */
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  element?: Schema;
  options?: readonly Schema[];
  /** Name of the field that tells the options apart. */
  discriminator?: string;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  keyType?: Schema;
  valueType?: Schema;
  items?: readonly Schema[];
  rest?: Schema | null;
}
export type Schema = z.ZodMiniType & { _zod: { def: Definition } };

/** A text field of a schema. */
export interface TextField {
  /** Readable path. `keys` is the same without the schemas' own steps. */
  path: string;
  keys: string[];
  /** Returns an input of the whole schema with `text` in this field. */
  holding(text: unknown): unknown;
}

export const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

const LEAVES = ['number', 'int', 'boolean', 'null', 'undefined', 'unknown', 'any', 'literal', 'enum', 'custom', 'transform'];

/** Returns a value of the field that tells an option from the others. */
const kindOf = (option: Schema, discriminator: string): unknown => {
  const [value] = option._zod.def.shape?.[discriminator]?._zod.values ?? [];
  return value;
};

/** Returns every text field of a schema. Throws for an unknown kind of schema, so that no field is missed. */
export function textFieldsOf(schema: Schema, path = ''): TextField[] {
  const { def } = schema._zod;
  const within = (inner: Schema | null | undefined, step: string, wrap: (value: unknown) => unknown = (value) => value): TextField[] =>
    inner ? textFieldsOf(inner, path + step).map(({ holding, ...field }) => ({ ...field, holding: (text) => wrap(holding(text)) })) : [];
  switch (def.type) {
    case 'string':
      return [{ path, keys: path.match(/(?<=\.)\w+|(?<=\[)\d*(?=])/g)?.map((key) => key || '0') ?? [], holding: (text) => text }];
    case 'object':
      return [
        ...Object.entries(def.shape ?? {}).flatMap(([name, inner]) => within(inner, `.${name}`, (value) => ({ [name]: value }))),
        ...within(def.catchall, '.*', (value) => ({ unknown: value })),
      ];
    case 'array':
      return within(def.element, '[]', (value) => [value]);
    case 'tuple':
      return (def.items ?? []).flatMap((inner, at) =>
        within(inner, `[${at}]`, (value) => def.items?.map((_, i) => (i === at ? value : null))),
      );
    case 'record':
      return [
        ...within(def.keyType, '{key}', (value) => ({ [typeof value === 'string' ? value : 'key']: 1 })),
        ...within(def.valueType, '{}', (value) => ({ key: value })),
      ];
    case 'union':
      return (def.options ?? []).flatMap((inner, at) =>
        within(inner, `|${at}`, (value) =>
          def.discriminator ? { [def.discriminator]: kindOf(inner, def.discriminator), ...Object(value) } : value,
        ),
      );
    case 'pipe':
      return [...within(def.in, ''), ...within(def.out, '>')];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return within(def.innerType, '');
    default:
      if (LEAVES.includes(def.type)) return [];
      throw new Error(`${path}: text-fields.ts does not know the schema kind "${def.type}"`);
  }
}
