/**
 * Copies an error without its message, which may contain user input: a provider's answer, a parameter of a statement. What is left
 * tells what failed, and where.
 */
export function redactError(fault: unknown): Error {
  if (!(fault instanceof Error)) return new Error('a thrown value that is not an Error')
  const code = 'code' in fault && typeof fault.code === 'string' ? ` ${fault.code}` : ''
  const redacted = new Error(`${fault.name}${code} (message redacted: this workspace retains no data)`)
  const frames = fault.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  redacted.stack = [redacted.message, ...frames].join('\n')
  return redacted
}
