/** `thread_id` → `threadId` */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

/** A record of the wire with the names of this SDK. */
export type Outside<Wire> = Wire extends readonly (infer Item)[]
  ? Outside<Item>[]
  : Wire extends object
    ? { [Name in keyof Wire as Camel<Name>]: Name extends 'config' ? Wire[Name] : Outside<Wire[Name]> }
    : Wire

/** The one mapping between the names of the wire and those of this SDK. */
const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf))
  if (typeof value !== 'object' || value === null) return value
  // `Object.fromEntries` defines its properties: a key such as `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      nameOf(key),
      // The saved settings of a widget are the owner's words.
      key === 'config' ? inner : rename(inner, nameOf),
    ]),
  )
}

/** A body of this SDK with the names of the wire. */
export const toWire = (value: object): Record<string, unknown> =>
  rename(value, toSnake) as Record<string, unknown>

/** A body of the wire with the names of this SDK. */
export const fromWire = (value: unknown): unknown => rename(value, toCamel)
