/**
 * Text as PostgreSQL can keep it: without NUL characters and half surrogate pairs, which a question or a model may
 * contain and which would make it refuse the whole turn.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A value as JSON text, each text in it storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  )
}
