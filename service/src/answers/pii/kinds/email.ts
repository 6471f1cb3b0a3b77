import type { Span } from '../../../platform/patterns/linear-pattern.ts'

/** Longest name before the `@`; what is longer is masked from there on. */
const LONGEST_NAME = 128

// bounded: at most 128 characters
const NAME = /[\p{L}\p{N}][\p{L}\p{N}._%+'-]*$/u
const DOMAIN = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)+(?:xn--[a-z0-9-]+|\p{L}{2,63})/iu

/** The user of addresses such as `git@github.com:acme/app.git`, which are nobody's. */
const NOBODY = 'git'

/** Addresses of e-mail. */
export function findEmails(text: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = NAME.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0]
    const domain = DOMAIN.exec(text.slice(at + 1, at + 256))?.[0]
    if (name === undefined || domain === undefined || name.toLowerCase() === NOBODY) continue
    spans.push({ start: at - name.length, end: at + 1 + domain.length })
  }
  return spans
}
