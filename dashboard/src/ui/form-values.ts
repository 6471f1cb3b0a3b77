/** The text of a field, without spaces around it; empty if it is not there. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The same, or null if it is empty. */
export const textOrNull = (form: FormData, name: string): string | null => textOf(form, name) || null

/** The lines of a field that are not empty. */
export const linesOf = (form: FormData, name: string): string[] =>
  textOf(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
