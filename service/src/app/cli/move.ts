import { moveToServer } from '../move-to-server.ts'
import { EXIT, type Command } from './command.ts'
import { bar } from './terminal.ts'

const BAR_WIDTH = 20

const counted = (count: number) => count.toLocaleString('en')

export const moveCommand: Command = {
  usage: '',
  summary: 'Move what the embedded database holds into the empty PostgreSQL database of DATABASE_URL.',
  options: {},
  environment: {
    DATABASE_URL: 'the PostgreSQL database to move to, which must be empty',
    CITEWELL_DATA_DIR: 'folder of the embedded database (./data); the service must be stopped',
  },
  run: async ({ settings, terminal, signal }) => {
    terminal.progress('Opening both databases …')
    const moved = await moveToServer(settings, {
      signal,
      onProgress: ({ doing, rows, ofRows }) => {
        const drawn = terminal.canRedraw ? `  ${bar(rows / Math.max(1, ofRows), BAR_WIDTH)}  ` : ': '
        terminal.progress(`Moving${drawn}${counted(rows)} of ${counted(ofRows)} rows (${doing})`)
      },
    })
    terminal.endProgress()
    if (terminal.isJson) {
      terminal.json(moved)
      return EXIT.ok
    }
    terminal.result(
      `Moved ${counted(moved.rows)} rows of ${moved.tables} tables, and compared each with what was there.`,
    )
    terminal.note(
      `From now on start the service with DATABASE_URL and this data directory (${settings.dataDirectory}): its files and its secret key are still needed. The embedded database was left as it is; remove its folder "database" when you no longer want to go back.`,
    )
    return EXIT.ok
  },
}
