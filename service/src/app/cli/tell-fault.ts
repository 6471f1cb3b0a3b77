import { DirectoryInUse } from '../../platform/storage/embedded/directory-lock.ts'
import { SettingsFault } from '../read-environment.ts'
import type { Settings } from '../settings.ts'
import { CommandFailure, EXIT } from './command.ts'
import { systemFault } from './system-fault.ts'
import type { Terminal } from './terminal.ts'

/** Any fault as one that a person can read: never a stack, never a library's own words where ours are known. */
export async function faultOf(error: unknown, settings: Settings | undefined): Promise<CommandFailure> {
  if (error instanceof CommandFailure) return error
  if (error instanceof SettingsFault)
    return new CommandFailure(EXIT.validation, error.message, { code: 'SETTINGS' })
  if (error instanceof DirectoryInUse)
    return new CommandFailure(EXIT.error, error.message, { code: 'DIRECTORY_IN_USE' })
  const ofSystem = settings === undefined ? undefined : await systemFault(error, settings)
  if (ofSystem !== undefined) return ofSystem
  const because = error instanceof Error ? error.message : String(error)
  return new CommandFailure(EXIT.error, because, { hint: 'citewell doctor' })
}

const CODE_OF_EXIT: Partial<Record<number, string>> = {
  [EXIT.usage]: 'USAGE',
  [EXIT.notFound]: 'NOT_FOUND',
  [EXIT.permission]: 'FORBIDDEN',
  [EXIT.validation]: 'BAD_REQUEST',
}

/**
 * Says why a command ended. With `--json` as one document: on standard output, but for faults of the call itself (exit 2), which are no
 * result of anything.
 */
export function tellFault(
  terminal: Terminal,
  typed: (command: string) => string,
  fault: CommandFailure,
): number {
  const { hint, code, details, requestId } = fault.more
  const next = hint?.startsWith('citewell ') === true ? typed(hint.slice('citewell '.length)) : hint
  if (terminal.isJson) {
    const document = {
      error: fault.message,
      code: code ?? CODE_OF_EXIT[fault.exitCode] ?? 'ERROR',
      ...(details !== undefined && { details }),
      ...(next !== undefined && { hint: next }),
      ...(requestId !== undefined && requestId !== '' && { request_id: requestId }),
    }
    if (fault.exitCode === EXIT.usage) terminal.jsonNote(document)
    else terminal.json(document)
    return fault.exitCode
  }
  terminal.note(`${terminal.style.fault('✗')} ${fault.message}`)
  // One detail alone may say what the message has said.
  for (const { path, message } of (details ?? []).filter((detail) => detail.message !== fault.message))
    terminal.note(`  ${path === '' ? message : `${path}: ${message}`}`)
  if (next !== undefined) terminal.note(`  Try: ${next}`)
  if (requestId !== undefined && requestId !== '') terminal.note(terminal.style.dim(`  Request ${requestId}`))
  return fault.exitCode
}
