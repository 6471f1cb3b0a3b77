/** Names shown to readers for the fields they fill in. */
const READERS_WORDS: Readonly<Record<string, string>> = {
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
  const said =
    path === ''
      ? message.replace(/^(?=must |is |has )/, 'the body ')
      : `${READERS_WORDS[path] ?? `"${path}"`} ${message}`
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`
}
