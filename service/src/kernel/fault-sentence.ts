/** Names shown to readers for the fields they fill in. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  query: 'The question',
  question: 'The question',
  comment: 'The comment',
  rating: 'The rating',
  subject: 'The subject',
  body: 'The text',
  user: 'The user',
  'user.id': 'The id of the user',
  'user.email': 'The e-mail address of the user',
}

/**
 * One validation error of a request as a sentence, for places that show a single sentence.
 *
 * @example
 * faultSentence({ path: 'query', message: 'must have at most 4,000 characters' }) // 'The question must have at most 4,000 characters.'
 */
export function faultSentence({ path, message }: { path: string; message: string }): string {
  const sentence =
    path === ''
      ? message.replace(/^(?=must |is |has )/, 'the body ')
      : `${FIELD_NAMES[path] ?? `"${path}"`} ${message}`
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? '' : '.'}`
}
