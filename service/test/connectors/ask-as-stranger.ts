import type { ConnectorWorld, ExpectedDocument, Surface } from './connector-world.ts'

type Documents = ReadonlyMap<string, ExpectedDocument>

/** Words of one kind that are asked for: the first two that the source had, and the last four. */
const someOf = (words: readonly string[]) => [...new Set([...words.slice(0, 2), ...words.slice(-4)])]

/** What one request asks for, and which of it everyone may read. */
interface Question {
  surface: Surface
  words: readonly string[]
}

/** Strangers who ask one source again and again while it changes. */
export interface Strangers {
  /** Notes what the source has now, so that it is known later what it had. */
  note(documents: Documents): void
  /**
   * Searches and asks over the public API and MCP for what is restricted, gone or public. Returns what was wrong, in words: a word or an
   * address that strangers may not read, or a public word that they do not find.
   */
  faults(documents: Documents): Promise<string[]>
  /** Times that a word was asked for: one that everyone may read, and one that is restricted or gone. */
  asked: { open: number; closed: number }
}

/** @param asksEach for each word by itself, on every surface; otherwise for several at a time */
export function createStrangers(world: ConnectorWorld, { asksEach }: { asksEach: boolean }): Strangers {
  /** Every word that a document ever had. */
  const known = new Set<string>()
  const asked = { open: 0, closed: 0 }

  /** What strangers may read now, and what not: words, and addresses that only restricted documents have. */
  async function readable(documents: Documents) {
    const rows = [...(await world.indexed()).values()]
    const isOpen = (id: string) => documents.get(id)?.isRestricted === false
    const openRows = rows.filter((row) => isOpen(row.external_id))
    const openUrls = new Set(openRows.map(({ url }) => url))
    // A thread keeps its earlier words.
    const openText = openRows.map(({ text }) => text).join('\n')
    return {
      open: [...documents.values()].filter((one) => !one.isRestricted).map(({ text }) => text),
      closed: [...known].filter((word) => !openText.includes(word)),
      closedUrls: rows.map(({ url }) => url).filter((url) => !openUrls.has(url)),
    }
  }

  function questions(open: readonly string[], closed: readonly string[]): Question[] {
    if (asksEach) {
      return [...open, ...closed].flatMap((word) =>
        (['search', 'chat', 'mcp'] as const).map((surface) => ({ surface, words: [word] })),
      )
    }
    const last = [...open.slice(-1), ...closed.slice(-1)]
    return [
      { surface: 'search', words: open },
      { surface: 'search', words: closed },
      { surface: 'mcp', words: [...closed.slice(-2), ...open.slice(-2)] },
      { surface: 'chat', words: last },
    ]
  }

  return {
    asked,
    note: (documents) => {
      for (const { text } of documents.values()) known.add(text)
    },
    faults: async (documents) => {
      const { open, closed, closedUrls } = await readable(documents)
      const wrong: string[] = []
      for (const { surface, words } of questions(someOf(open), someOf(closed))) {
        if (words.length === 0) continue
        const told = await world.askPublicly(surface, words)
        const leaked = [
          ...closed.filter((word) => told.includes(word)),
          ...closedUrls.filter((url) => told.includes(`"${url}"`) || told.includes(`"${url}#`)),
        ]
        if (leaked.length > 0)
          wrong.push(
            `${surface} told a stranger ${leaked.join(', ')}, asked for ${words.join(', ')}: ${told}`,
          )
        const missed = words.filter((word) => open.includes(word) && !told.includes(word))
        if (missed.length > 0)
          wrong.push(`${surface} does not find ${missed.join(', ')}, which is public: ${told}`)
        const openOnes = words.filter((word) => open.includes(word)).length
        asked.open += openOnes
        asked.closed += words.length - openOnes
      }
      return wrong
    },
  }
}
