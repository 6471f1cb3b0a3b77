import type { ConnectorWorld, ExpectedDocument } from './connector-world.ts'

type Documents = ReadonlyMap<string, ExpectedDocument>

/** Words of one kind that are asked for: the first two that the source had, and the last four. */
const someOf = (words: readonly string[]) => [...new Set([...words.slice(0, 2), ...words.slice(-4)])]

/** Strangers who ask one source again and again while it changes. */
export interface Strangers {
  /** Notes what the source has now, so that it is known later what it had. */
  note(documents: Documents): void
  /**
   * Searches and asks over the public API for what is restricted, gone or public. Returns what was wrong, in words: a word or an address
   * that strangers may not read, or a public word that a search does not find.
   */
  faults(documents: Documents): Promise<string[]>
}

export function createStrangers(world: ConnectorWorld): Strangers {
  /** Every word that a document ever had. */
  const known = new Set<string>()

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

  return {
    note: (documents) => {
      for (const { text } of documents.values()) known.add(text)
    },
    faults: async (documents) => {
      const { open, closed, closedUrls } = await readable(documents)
      const wrong: string[] = []
      for (const word of [...someOf(closed), ...someOf(open)]) {
        const found = await world.askPublicly('search', { query: word })
        const answered = await world.askPublicly('chat', { query: `What is said about ${word}?` })
        const told = `${found}\n${answered}`
        const leaked = [
          ...closed.filter((other) => told.includes(other)),
          ...closedUrls.filter((url) => told.includes(`"${url}"`) || told.includes(`"${url}#`)),
        ]
        if (leaked.length > 0)
          wrong.push(`${leaked.join(', ')} was told to a stranger who asked for ${word}: ${told}`)
        if (open.includes(word) && !found.includes(word))
          wrong.push(`${word} is public, but not found: ${found}`)
      }
      return wrong
    },
  }
}
