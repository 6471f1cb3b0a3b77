export { isStorableText } from '@citewell/contract/storable-text'

/**
 * Text that PostgreSQL can store: without NUL characters and lone surrogates, which would make it reject
 * everything that is written with it.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A value as JSON text in which every string is storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  )
}
