import type { Span } from '../../../platform/patterns/linear-pattern.ts'

/** Maximum length of the part before the `@`; of a longer one, only the end is masked. */
const MAX_NAME_LENGTH = 128

// bounded: at most 128 characters
const NAME = /[\p{L}\p{N}][\p{L}\p{N}._%+'-]*$/u
const DOMAIN = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)+(?:xn--[a-z0-9-]+|\p{L}{2,63})/iu

/** As it is, or within an address of the web. */
const AT = /@|%40/g

/** The user in addresses such as `git@github.com:acme/app.git`, which are not of a person. */
const GIT_USER = 'git'

/** E-mail addresses. */
export function findEmails(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: sign, index: at } of text.matchAll(AT)) {
    const name = NAME.exec(text.slice(Math.max(0, at - MAX_NAME_LENGTH), at))?.[0]
    const domain = DOMAIN.exec(text.slice(at + sign.length, at + 256))?.[0]
    if (name === undefined || domain === undefined || name.toLowerCase() === GIT_USER) continue
    spans.push({ start: at - name.length, end: at + sign.length + domain.length })
  }
  return spans
}
