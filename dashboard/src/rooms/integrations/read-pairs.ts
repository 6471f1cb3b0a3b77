/** Most lines that are read, and characters of a name. */
const MOST = { lines: 100, name: 100 } as const

/**
 * Settings that were written as lines of `name = value`.
 *
 * @throws Error with a sentence for the person, for a line without a name or a value
 */
export function readPairs(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MOST.lines) throw new Error(`At most ${MOST.lines} lines.`)
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      const name = line.slice(0, Math.max(0, at)).trim()
      const value = line.slice(at + 1).trim()
      if (at < 0 || name === '' || value === '')
        throw new Error(`“${line.trim().slice(0, 40)}”: write a name, an equals sign and a value.`)
      if (name.length > MOST.name) throw new Error(`A name has at most ${MOST.name} characters.`)
      return [name, value]
    }),
  )
}

/** A value as it is shown: what is no text as JSON, and nothing for null, a value that was taken away. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The same, the other way round. */
export const writePairs = (config: Readonly<Record<string, unknown>>): string =>
  Object.entries(config)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} = ${shownValue(value)}`)
    .join('\n')
