import type { Settings } from '../settings.ts'
import { CommandFailure, EXIT } from './command.ts'
import { isCitewellAt } from './service-client.ts'

interface SystemError extends Error {
  code: string
  syscall?: string
  port?: number
  path?: string
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

async function listenFault({ code }: SystemError, { host, port }: Settings): Promise<string | undefined> {
  switch (code) {
    case 'EADDRINUSE': {
      const named = host.includes(':') ? `[${host}]` : host
      const address = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : named}:${port}`
      const who = (await isCitewellAt(address)) ? `another Citewell, at ${address}` : 'another program'
      return `Port ${port} is in use by ${who}. Stop it, or set PORT=${port === 65_535 ? 3_000 : port + 1}.`
    }
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Set PORT to 1024 or more, such as PORT=3000.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `HOST=${host} is no address of this machine. Set HOST to one: 127.0.0.1 for this machine alone, 0.0.0.0 for all networks.`
    default:
      return undefined
  }
}

function fileFault({ code, path }: SystemError, { dataDirectory }: Settings): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path} may not be read or written. Give the data directory ${dataDirectory} to this user, or set CITEWELL_DATA_DIR.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} is no folder. Set CITEWELL_DATA_DIR to a folder.`
    case 'ENOSPC':
      return `The disk is full: ${path} could not be written.`
    default:
      return undefined
  }
}

const LISTENING = new Set(['listen', 'getaddrinfo', 'bind'])

/** A fault of the operating system in words, with what to do about it; undefined for what is none that a person can mend. */
export async function systemFault(error: unknown, settings: Settings): Promise<CommandFailure | undefined> {
  if (!isSystemError(error)) return undefined
  const isListening = LISTENING.has(error.syscall ?? '')
  if (!isListening && error.path === undefined) return undefined
  const message = isListening ? await listenFault(error, settings) : fileFault(error, settings)
  return message === undefined ? undefined : new CommandFailure(EXIT.error, message, { code: error.code })
}
