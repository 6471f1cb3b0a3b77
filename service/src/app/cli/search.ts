import { chooseBase } from './choose-base.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { numberOption } from './number-option.ts'
import { oneLine } from './printable.ts'
import { connectService } from './service-client.ts'

interface SearchResult {
  title: string
  url: string
  heading_path: string[]
  snippet: string
  score: number
  version_label: string | null
}

const LIMITS = { least: 1, most: 50 }

export const searchCommand: Command = {
  usage: '"WORDS" [--kb NAME] [--limit N]',
  summary: 'Find the best pages for a question, without an answer.',
  options: {
    kb: { type: 'string', about: 'knowledge base, by name or id' },
    limit: { type: 'string', about: 'pages, 1 to 50 (10)' },
  },
  run: async (input) => {
    const { terminal } = input
    const query = input.words.join(' ').trim()
    if (query === '')
      throw new CommandFailure(EXIT.usage, 'What is to be found?', { hint: 'citewell search "…"' })
    const limit = numberOption(input, 'limit', LIMITS) ?? 10
    await using client = await connectService(input)
    const base = await chooseBase(client, input.options['kb'])
    const found = await client.json<{ results: SearchResult[] }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/search`,
      { query, limit },
    )
    if (terminal.isJson) terminal.json(found)
    else if (found.results.length === 0) terminal.note('Nothing was found.')
    else {
      for (const [index, result] of found.results.entries()) {
        const version = result.version_label === null ? '' : ` (${result.version_label})`
        const place = oneLine([result.title, ...result.heading_path].join(' › '))
        terminal.result(`${terminal.style.accent(`${index + 1}.`)} ${terminal.style.bold(place)}${version}`)
        terminal.result(`   ${terminal.style.dim(result.url)}`)
        terminal.result(`   ${result.snippet.replaceAll(/\s+/g, ' ')}\n`)
      }
    }
    return EXIT.ok
  },
}
