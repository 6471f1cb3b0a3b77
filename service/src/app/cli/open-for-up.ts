import { isAbsolute } from 'node:path'
import { DirectoryInUse } from '../../platform/storage/embedded/directory-lock.ts'
import { nameFolder } from '../named-folders.ts'
import { startService, type RunningService } from '../start-service.ts'
import { CommandFailure, EXIT, type CommandInput } from './command.ts'
import { clientOf, connectHolder, connectNamed, type ServiceClient } from './service-client.ts'
import { localPathsOf, type NewSource } from './source-of-argument.ts'

export interface OpenForUp {
  client: ServiceClient
  /** The service that this command started; undefined where it talks to one that runs already. */
  own: RunningService | undefined
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

/** The service that a source is added to: the one that `--url` names, the one that runs already, or one that is started now. */
export async function openForUp(
  input: CommandInput,
  wanted: NewSource | undefined,
  listens: boolean,
): Promise<OpenForUp> {
  const { settings, signal } = input
  const named = connectNamed(input)
  if (named !== undefined) {
    const address = wanted?.config['url']
    if (
      typeof address === 'string' &&
      isAbsolute(address) &&
      !LOOPBACK.test(new URL(named.address ?? '').hostname)
    ) {
      throw new CommandFailure(
        EXIT.usage,
        'A folder is read by the machine that the service runs on: run this there, or give an address.',
      )
    }
    return { client: named, own: undefined }
  }
  // Whoever may write the data directory runs the service: what they name here may be read.
  for (const path of wanted === undefined ? [] : localPathsOf(wanted))
    nameFolder(settings.dataDirectory, path)
  const start = async (port: boolean): Promise<OpenForUp> => {
    const own = await startService(settings, {
      listens: port,
      works: true,
      readsNamedFolders: true,
      preparesPages: true,
      repeatsSetupLink: true,
    })
    const send = (request: Request) => own.fetch(request)
    return { client: clientOf(own.address, own.operatorToken, signal, send, () => own.close()), own }
  }
  try {
    return await start(listens)
  } catch (error) {
    if (error instanceof DirectoryInUse) return { client: connectHolder(input, error), own: undefined }
    // On a server's database several processes may work side by side; the port then belongs to one of them.
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || wanted === undefined || settings.databaseUrl === undefined) throw error
    return { client: (await start(false)).client, own: undefined }
  }
}
