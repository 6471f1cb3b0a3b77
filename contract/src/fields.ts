import { z } from 'zod'

/** How many characters a person sees, roughly: code points, so that an emoji is one and not two. */
const lengthOf = (value: string): number => {
  let length = 0
  for (const _ of value) length += 1
  return length
}

/**
 * Text with its length counted in code points, as JSON Schema counts it. White space around it is cut off.
 *
 * @example
 * text(1, 4_000) // 'required, at most 4,000 characters'
 */
export function text(minLength: number, maxLength: number) {
  return z
    .string()
    .trim()
    .refine((value) => value.length >= minLength || lengthOf(value) >= minLength, {
      error: minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    })
    .refine((value) => value.length <= maxLength || lengthOf(value) <= maxLength, {
      error: `must have at most ${maxLength.toLocaleString('en')} characters`,
    })
    .meta({ minLength, maxLength })
}

/**
 * A field that may be left out of a public body. Null is the same: clients in many languages send it for what is absent. In management
 * bodies null means something else, there it clears.
 */
export const mayBeAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? undefined)

export const Id = z
  .uuid({ error: 'must be an id (a UUID)' })
  .meta({ examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'] })

/** An id of some other record. */
export const idOf = (noun: string) => Id.meta({ description: `Id of the ${noun}.` })

export const Timestamp = z.iso.datetime().meta({ examples: ['2026-03-09T14:05:12.345Z'] })

/** Characters that no part of an address needs, and that end one in Markdown, in HTML and in shells: browsers leave them as they are. */
const LEFT_OVER = /['"<>\\^`{|}]/g

const httpAddress = (value: string): URL | undefined => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

/**
 * An http address as browsers write it, with everything escaped that is no part of one; anything else as it was. The same address is
 * one text, however it was typed.
 *
 * @example
 * normalAddress('HTTPS://Docs.example.com/a b?x="y"') // 'https://docs.example.com/a%20b?x=%22y%22'
 */
export const normalAddress = (value: string): string =>
  httpAddress(value)?.href.replaceAll(
    LEFT_OVER,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  ) ?? value

const isWithoutUser = (value: string): boolean => {
  const { username = '', password = '' } = httpAddress(value) ?? {}
  return username === '' && password === ''
}

const ADDRESS_CHARACTERS = 2_048

export const HttpUrl = z
  .string()
  .trim()
  .max(ADDRESS_CHARACTERS)
  .refine((value) => httpAddress(value) !== undefined, { error: 'must be an http or https address' })
  .refine(isWithoutUser, { error: 'must have no user name or password in it' })
  .overwrite(normalAddress)
  .refine((value) => value.length <= ADDRESS_CHARACTERS, {
    error: `must have at most ${ADDRESS_CHARACTERS.toLocaleString('en')} characters, once what is no part of an address is escaped`,
  })
  .meta({ format: 'uri', examples: ['https://docs.example.com/'] })

/** Where a page opens in a browser, as answers have it: whoever follows it lands somewhere. */
export const PageUrl = z
  .string()
  .refine((value) => httpAddress(value) !== undefined, { error: 'must be an http or https address' })
  .meta({ format: 'uri', examples: ['https://docs.example.com/keys'] })

// The star stands for the left-most labels only, and never for a whole registrable domain such as `*.com`.
const ORIGIN =
  /^https?:\/\/(?:\*\.(?:[a-z0-9-]+\.)+[a-z0-9-]+|(?:[a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/?$/
const BARE_HOST = /^(?:\*\.)?[^/?#\\@%\s:*][^/?#\\@%\s:*.]*\.[^/?#\\@%\s:*]+(?::\d{1,5})?\/?$/

/** A domain stands for its https origin, `localhost` for its http one. */
function withScheme(given: string): string {
  if (LOOPBACK_HOST.test(given)) return `http://${given}`
  return BARE_HOST.test(given) ? `https://${given}` : given
}

/**
 * An origin as browsers write it, where it can be read as one: names in their ASCII form, no default port, no slash at its end.
 * Anything else stays as it is, for the pattern to refuse.
 */
function asBrowsersWriteIt(given: string): string {
  const origin = withScheme(given)
  if (!/^https?:\/\/[^/?#\\@%\s]+\/?$/.test(origin)) return given
  return URL.parse(origin)?.origin ?? origin
}

/** An origin of web pages. A domain alone is its https origin. */
export const Origin = z
  .string()
  .trim()
  .max(300)
  .toLowerCase()
  .overwrite(asBrowsersWriteIt)
  .regex(ORIGIN, {
    error:
      'must be a domain such as docs.example.com, or an origin such as https://docs.example.com or https://*.example.com, without a path',
    abort: true,
  })
  .refine((origin) => URL.canParse(origin), { error: 'has a port that there is not' })
  .meta({ examples: ['https://docs.example.com'] })

export const Origins = z
  .array(Origin)
  .max(100)
  .meta({
    description:
      'Origins of the pages that may use it, such as `https://docs.example.com`. A domain alone, `docs.example.com`, is its https origin (`localhost:5173` its http one), and is stored so. A star may stand for the left-most part: `https://*.example.com`. An empty list allows every page.',
    examples: [['https://docs.example.com']],
  })

/** The times and the id that every record has. */
export const recordFields = { id: Id, created_at: Timestamp, updated_at: Timestamp }
