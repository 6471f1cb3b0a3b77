import { z } from 'zod'
import { visibleLine } from './visible-line.ts'

/** The number of characters that a person sees, roughly: code points, so that an emoji counts as one, not two. */
const lengthOf = (value: string): number => {
  let length = 0
  for (const _ of value) length += 1
  return length
}

/**
 * Text whose length is counted in code points, like in JSON Schema. White space around it is trimmed.
 *
 * @example
 * text(1, 4_000) // 'required, at most 4,000 characters'
 */
export const text = (minLength: number, maxLength: number) => bounded(z.string().trim(), minLength, maxLength)

/**
 * A name or label: text on one line. What nobody sees in it is left out, and line breaks become spaces: people compare names, and other
 * systems show them.
 *
 * @example
 * lineText(1, 100).parse('Acme\u200B\ndocs') // 'Acme docs'
 */
export const lineText = (minLength: number, maxLength: number) =>
  bounded(z.string().overwrite(visibleLine), minLength, maxLength)

function bounded(given: z.ZodString, minLength: number, maxLength: number) {
  return given
    .refine((value) => value.length >= minLength * 2 || lengthOf(value) >= minLength, {
      error: minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    })
    .refine((value) => value.length <= maxLength || lengthOf(value) <= maxLength, {
      error: `must have at most ${maxLength.toLocaleString('en')} characters`,
    })
    .meta({ minLength, maxLength })
}

/** A whole number from 0. */
export const wholeNumber = (example = 0) =>
  z
    .int()
    .min(0)
    .meta({ examples: [example] })

/** A number from 0 to 1. */
export const fraction = (example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ examples: [example] })

/** A text of a response, where there may be none. */
export const nullableText = (example: string | null = null) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })

/**
 * A field of a public body that may be omitted. Null counts as absent: clients in many languages send it. In management bodies null has a
 * different meaning: it clears a field.
 */
export const mayBeAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? undefined)

/** In lower case, as the service writes ids: they are compared, kept and returned as text. */
export const Id = z
  .uuid({ error: 'must be an id (a UUID)' })
  .toLowerCase()
  .meta({ examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'] })

/** An id of another record. */
export const idOf = (noun: string) => Id.describe(`Id of the ${noun}.`)

export const Timestamp = z.iso.datetime().meta({ examples: ['2026-03-09T14:05:12.345Z'] })

/** Characters that are never part of an address, and that end one in Markdown, HTML and shells; browsers do not escape them. */
const UNESCAPED = /['"<>\\^`{|}]/g

const httpAddress = (value: string): URL | undefined => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

/**
 * An http address as browsers write it, with all other characters escaped; anything else unchanged. The same address always becomes the
 * same text, however it was typed.
 *
 * @example
 * normalAddress('HTTPS://Docs.example.com/a b?x="y"') // 'https://docs.example.com/a%20b?x=%22y%22'
 */
export const normalAddress = (value: string): string =>
  httpAddress(value)?.href.replaceAll(
    UNESCAPED,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  ) ?? value

const hasNoUserInfo = (value: string): boolean => {
  const { username = '', password = '' } = httpAddress(value) ?? {}
  return username === '' && password === ''
}

const ADDRESS_CHARACTERS = 2_048

export const HttpUrl = z
  .string()
  .trim()
  .max(ADDRESS_CHARACTERS)
  .refine((value) => httpAddress(value) !== undefined, { error: 'must be an http or https address' })
  .refine(hasNoUserInfo, { error: 'must not contain a user name or password' })
  .overwrite(normalAddress)
  .refine((value) => value.length <= ADDRESS_CHARACTERS, {
    error: `must have at most ${ADDRESS_CHARACTERS.toLocaleString('en')} characters after escaping`,
  })
  .meta({ format: 'uri', examples: ['https://docs.example.com/'] })

/** An absolute address of a page in responses, so that it can be followed. */
export const PageUrl = z
  .string()
  .refine((value) => httpAddress(value) !== undefined, { error: 'must be an http or https address' })
  .meta({ format: 'uri', examples: ['https://docs.example.com/keys'] })

// The star replaces the left-most labels only, and never a whole registrable domain such as `*.com`.
const ORIGIN =
  /^https?:\/\/(?:\*\.(?:[a-z0-9-]+\.)+[a-z0-9-]+|(?:[a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/?$/
const BARE_HOST = /^(?:\*\.)?[^/?#\\@%\s:*][^/?#\\@%\s:*.]*\.[^/?#\\@%\s:*]+(?::\d{1,5})?\/?$/

/** A bare domain means its https origin, `localhost` its http one. */
function withScheme(given: string): string {
  if (LOOPBACK_HOST.test(given)) return `http://${given}`
  return BARE_HOST.test(given) ? `https://${given}` : given
}

/**
 * An origin as browsers write it, if it can be parsed: names in ASCII form, no default port, no trailing slash. Anything else is
 * returned unchanged and refused by the pattern.
 */
function normaliseOrigin(given: string): string {
  const origin = withScheme(given)
  if (!/^https?:\/\/[^/?#\\@%\s]+\/?$/.test(origin)) return given
  return URL.parse(origin)?.origin ?? origin
}

/** An origin of web pages. A bare domain means its https origin. */
export const Origin = z
  .string()
  .trim()
  .max(300)
  .toLowerCase()
  .overwrite(normaliseOrigin)
  .regex(ORIGIN, {
    error:
      'must be a domain such as docs.example.com, or an origin such as https://docs.example.com or https://*.example.com, without a path',
    abort: true,
  })
  .refine((origin) => URL.canParse(origin), { error: 'has an invalid port' })
  .meta({ examples: ['https://docs.example.com'] })

export const Origins = z
  .array(Origin)
  .max(100)
  .overwrite((origins) => [...new Set(origins)])
  .meta({
    description:
      'Origins of the pages that may use it, such as `https://docs.example.com`. A bare domain such as `docs.example.com` means its https origin (`localhost:5173` its http one), and is stored as such. A star may replace the left-most part: `https://*.example.com`. One that is given twice is stored once. An empty list allows every page.',
    examples: [['https://docs.example.com']],
  })

/** Id and timestamps, which every record has. */
export const recordFields = { id: Id, created_at: Timestamp, updated_at: Timestamp }
