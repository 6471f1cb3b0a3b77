import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { listBases, chooseBase } from './choose-base.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { followSync, summaryLine } from './follow-sync.ts'
import { oneLine } from './printable.ts'
import { connectService } from './service-client.ts'

interface SourceSummary {
  id: string
  name: string
  type: string
}

/** Pages that are listed with their reasons; `--json` gives all of them. */
const MOST_LISTED = 20

export const syncCommand: Command = {
  usage: '[SOURCE] [--kb NAME]',
  summary: 'Read sources again, and make the index match them.',
  options: { kb: { type: 'string', about: 'only this knowledge base' } },
  run: async (input) => {
    const { terminal, options } = input
    const [wanted] = input.words
    const client = await connectService(input)
    try {
      const bases =
        options['kb'] === undefined ? await listBases(client) : [await chooseBase(client, options['kb'])]
      const lists = await Promise.all(
        bases.map(
          async (base) =>
            (
              await client.json<{ data: SourceSummary[] }>(
                'GET',
                `/api/v1/knowledge-bases/${base.id}/sources?limit=200`,
              )
            ).data,
        ),
      )
      const sources = lists.flat().filter((source) => !WRITTEN_SOURCE_TYPES.has(source.type))
      const chosen =
        wanted === undefined ? sources : sources.filter((source) => [source.id, source.name].includes(wanted))
      if (chosen.length === 0) {
        const names = sources.map((source) => `"${source.name}"`).join(', ')
        throw new CommandFailure(
          EXIT.notFound,
          wanted === undefined ? 'There is no source yet.' : `There is no source "${wanted}": ${names}.`,
        )
      }
      let worst: number = EXIT.ok
      for (const source of chosen) {
        const { id } = await client.json<{ id: string }>('POST', `/api/v1/sources/${source.id}/sync`)
        const cancel = () => void client.request('POST', `/api/v1/syncs/${id}/cancel`).catch(() => undefined)
        input.signal.addEventListener('abort', cancel, { once: true })
        const sync = await followSync(client, terminal, source.name, id, () => false)
        input.signal.removeEventListener('abort', cancel)
        if (terminal.isJson) terminal.json(sync)
        else {
          terminal.result(`${oneLine(source.name)}: ${sync.status}, ${summaryLine(sync)}`)
          const failed = (sync.errors ?? []).filter((error) => error.kind === 'failed')
          for (const error of failed.slice(0, MOST_LISTED)) terminal.note(`  ${error.url}: ${error.reason}`)
          if (sync.error !== null) terminal.note(`  ${sync.error}`)
        }
        if (sync.status === 'failed') worst = EXIT.error
      }
      return worst
    } finally {
      await client.close()
    }
  },
}
