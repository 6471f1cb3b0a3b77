/**
 * A fault without its words, which may repeat what somebody asked: a provider's answer, a parameter of a statement. What is left says
 * what failed, and where.
 */
export function withoutWords(fault: unknown): Error {
  if (!(fault instanceof Error)) return new Error('a fault without a name')
  const code = 'code' in fault && typeof fault.code === 'string' ? ` ${fault.code}` : ''
  const wordless = new Error(`${fault.name}${code} (words left out: this workspace keeps no data)`)
  const frames = fault.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  wordless.stack = [wordless.message, ...frames].join('\n')
  return wordless
}
