import type { Span } from '../../../platform/patterns/linear-pattern.ts'

const form = (body: string) => new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${body})`, 'gu')

/** Keys and tokens with a recognizable prefix. */
const SECRETS: readonly RegExp[] = [
  form(String.raw`cw_(?:pat|sk|set)_[A-Za-z\d]{10,}`),
  form(String.raw`(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z\d][A-Za-z\d_-]{18,}`),
  form(String.raw`gh[opsur]_[A-Za-z\d]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z\d]{20,}`),
  form(String.raw`xox[abeoprs]-[A-Za-z\d-]{10,}|hf_[A-Za-z\d]{20,}|AIza[\w-]{30,}|whsec_[A-Za-z\d+/=]{16,}`),
  form(String.raw`(?:AKIA|ASIA)[A-Z\d]{16}`),
  // A JSON web token.
  form(String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`),
  // User name and password in a URL: https://ada:hunter2@example.com
  /(?<=:\/\/)[^\s/:@]{1,128}:[^\s/@]{1,128}(?=@)/gu,
]

/** Keys, tokens, and passwords in URLs. */
export function findSecrets(text: string): Span[] {
  return SECRETS.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: written, index }) => ({ start: index, end: index + written.length })),
  )
}
