import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { listBases, chooseBase } from './choose-base.ts'
import { quotedNames } from './choose-named.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { followSync, summaryLine } from './follow-sync.ts'
import { oneLine } from './printable.ts'
import { listSources } from './list-all.ts'
import { connectService } from './service-client.ts'

/** Pages that are listed with their reasons; `--json` gives all of them. */
const MOST_LISTED = 20

export const syncCommand: Command = {
  usage: '[SOURCE] [--kb NAME]',
  summary: 'Read sources again, and make the index match them.',
  options: { kb: { type: 'string', about: 'only this knowledge base' } },
  run: async (input) => {
    const { terminal, options } = input
    const [wanted] = input.words
    await using client = await connectService(input)
    const bases =
      options['kb'] === undefined ? await listBases(client) : [await chooseBase(client, options['kb'])]
    const sources = (await listSources(client, bases)).filter(
      (source) => !WRITTEN_SOURCE_TYPES.has(source.type),
    )
    const chosen =
      wanted === undefined ? sources : sources.filter((source) => [source.id, source.name].includes(wanted))
    if (chosen.length === 0)
      throw wanted === undefined
        ? new CommandFailure(EXIT.notFound, 'There is no source yet.', {
            hint: 'citewell up https://docs.example.com',
          })
        : new CommandFailure(EXIT.notFound, `There is no source "${wanted}": ${quotedNames(sources)}.`)
    let worst: number = EXIT.ok
    for (const source of chosen) {
      const { id } = await client.json<{ id: string }>('POST', `/api/v1/sources/${source.id}/sync`)
      const sync = await followSync(client, terminal, source.name, id, () => false).catch(
        async (error: unknown) => {
          if (input.signal.aborted) await client.lastly('POST', `/api/v1/syncs/${id}/cancel`)
          throw error
        },
      )
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
  },
}
