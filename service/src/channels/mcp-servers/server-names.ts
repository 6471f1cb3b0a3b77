import { ServerName } from '@citewell/contract/mcp-servers'

const MAX_CHARACTERS = 63

/** For a base name without usable characters: 日本語, or "!". */
const FALLBACK_NAME = 'knowledge'

/**
 * Candidate names for the server of a base, best first, without end: later ones are unlikely to be taken.
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
  return trimHyphens(trimHyphens(ascii).slice(0, MAX_CHARACTERS)) || FALLBACK_NAME
}

const withSuffix = (slug: string, suffix: string) =>
  `${trimHyphens(slug.slice(0, MAX_CHARACTERS - suffix.length - 1))}-${suffix}`

const trimHyphens = (text: string) => text.replaceAll(/^-+|(?<!-)-+$/g, '')
