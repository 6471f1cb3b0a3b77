import { once } from 'node:events'
import { startService } from '../start-service.ts'
import { EXIT, type Command } from './command.ts'

/** What whoever starts the service most often sets. */
export const LISTENING_SETTINGS = {
  PORT: 'where it listens (3000)',
  HOST: 'on which address (127.0.0.1: this machine alone)',
  CITEWELL_DATA_DIR: 'folder for everything it keeps (./data)',
  CITEWELL_PUBLIC_URL: 'address that readers and tools use (where it listens)',
  DATABASE_URL: 'PostgreSQL instead of the embedded storage (unset)',
}

export const serveCommand: Command = {
  usage: '',
  summary: 'Run the service until it is stopped.',
  options: {},
  environment: LISTENING_SETTINGS,
  run: async ({ settings, terminal, signal }) => {
    const service = await startService(settings, {
      listens: settings.role !== 'worker',
      works: settings.role !== 'api',
      preparesPages: true,
      repeatsSetupLink: terminal.columns !== undefined,
    })
    terminal.note(
      service.address === undefined
        ? 'Citewell works in the background.'
        : `Citewell is at ${service.address}`,
    )
    if (service.setupLink !== undefined)
      terminal.note(`Open it (signed in; once, within an hour): ${service.setupLink}`)
    for (const notice of service.notices) terminal.note(`Note: ${notice}`)
    if (!signal.aborted) await once(signal, 'abort')
    await service.close()
    return EXIT.ok
  },
}
