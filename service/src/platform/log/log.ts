import { redactAddresses } from '../../kernel/redact-addresses.ts'
import { pino, type DestinationStream, type Logger } from 'pino'
import { createRepeatedFaults } from './repeated-fault.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Client keys in addresses, in any text: a message of a library, a stack trace, an address. */
const KEY_IN_ADDRESS = /(client_key(?:=|%3D))[^&\s"'\\#)]+/gi

/**
 * JSON lines, by default on standard error. Fields whose names suggest a secret are redacted at any depth, and so are keys, user names
 * and passwords in addresses.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const isRepeated = createRepeatedFaults(() => performance.now())
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'client_key',
          '*.client_key',
          'token',
          '*.token',
          '*.secret',
        ],
        censor: '[redacted]',
      },
      hooks: {
        streamWrite: (line) => redactAddresses(line.replaceAll(KEY_IN_ADDRESS, '$1[redacted]')),
        logMethod(line, write) {
          const [fields, sentence] = line as unknown[]
          const fault = (fields as { err?: unknown } | undefined)?.err
          if (!isRepeated(fault, String(sentence))) write.apply(this, line)
        },
      },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  )
}
