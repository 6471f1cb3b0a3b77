import { once } from 'node:events'
import { startService } from '../start-service.ts'
import { EXIT, type Command } from './command.ts'

export const serveCommand: Command = {
  usage: '',
  summary: 'Run the service until it is stopped.',
  options: {},
  run: async ({ settings, terminal, signal }) => {
    const service = await startService(settings, {
      listens: settings.role !== 'worker',
      works: settings.role !== 'api',
    })
    terminal.note(
      service.address === undefined
        ? 'Citewell works in the background.'
        : `Citewell is at ${service.address}`,
    )
    if (service.setupLink !== undefined) terminal.note(`Set it up (once, within a day): ${service.setupLink}`)
    for (const notice of service.notices) terminal.note(`Note: ${notice}`)
    if (!signal.aborted) await once(signal, 'abort')
    await service.close()
    return EXIT.ok
  },
}
