import { z } from 'zod'

/** The settings are not usable; the message lists every fault, a line each. */
export class SettingsFault extends Error {}

/** A setting that is set to nothing counts as one that is not set. */
export const emptyIsUnset = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

/** What a person reads is ours: the words of the schema library speak of types. */
export const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error })
}

export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

export const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })

/**
 * Reads each setting by itself, then what must fit together, and tells all faults at once. A setting that is wrong keeps its text for
 * the second part, so that it does not count as one that is not set.
 *
 * @param faultsBetween what does not fit together, by the setting to correct
 * @throws SettingsFault
 */
export function readTogether<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  given: Readonly<Record<string, string | undefined>>,
  faultsBetween: (read: z.output<z.ZodObject<Shape>>) => [string, string][],
): z.output<z.ZodObject<Shape>> {
  const read: Record<string, unknown> = {}
  const faults: [string, string][] = []
  for (const [name, schema] of Object.entries(shape)) {
    const parsed = schema.safeParse(given[name])
    read[name] = parsed.success ? parsed.data : given[name]
    for (const issue of parsed.error?.issues ?? []) faults.push([name, issue.message])
  }
  const wrong = new Set(faults.map(([name]) => name))
  const between = faultsBetween(read as z.output<z.ZodObject<Shape>>)
  faults.push(...between.filter(([name]) => !wrong.has(name)))
  if (faults.length === 0) return read as z.output<z.ZodObject<Shape>>
  const lines = new Set(faults.map(([name, message]) => `  ${name}: ${message}`))
  throw new SettingsFault(`These settings are not usable:\n${[...lines].join('\n')}`)
}
