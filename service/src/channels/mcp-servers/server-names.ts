import { ServerName } from '@citewell/contract/mcp-servers'

const LONGEST = 63

/** Where a base's name leaves nothing: 日本語, or "!". */
const NAMELESS = 'knowledge'

/**
 * Names for the server of a base, the nicest first, without an end: later ones are unlikely to be taken.
 *
 * @example
 * serverNames('Acme API', random) // 'acme-api', 'acme-api-2', 'acme-api-3', …, 'acme-api-x7k2m9'
 */
export function* serverNames(baseName: string, random: () => string): Generator<string, never, void> {
  const slug = slugOf(baseName)
  if (ServerName.safeParse(slug).success) yield slug
  for (let number = 2; number <= 9; number += 1) yield withSuffix(slug, String(number))
  for (;;) yield withSuffix(slug, random())
}

function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trimHyphens(trimHyphens(ascii).slice(0, LONGEST)) || NAMELESS
}

const withSuffix = (slug: string, suffix: string) =>
  `${trimHyphens(slug.slice(0, LONGEST - suffix.length - 1))}-${suffix}`

const trimHyphens = (text: string) => text.replaceAll(/^-+|(?<!-)-+$/g, '')
