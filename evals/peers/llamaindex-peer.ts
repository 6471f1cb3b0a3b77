import { BaseEmbedding, Settings, TextNode, VectorStoreIndex } from 'llamaindex'
import { textOf, type EmbedQuery, type Peer } from './peer.ts'

/** The vectors of the passages are there; only questions are embedded. */
class GivenEmbedding extends BaseEmbedding {
  readonly #known: ReadonlyMap<string, readonly number[]>
  readonly #embedQuery: EmbedQuery

  constructor(known: ReadonlyMap<string, readonly number[]>, embedQuery: EmbedQuery) {
    super()
    this.#known = known
    this.#embedQuery = embedQuery
  }

  override async getTextEmbedding(text: string): Promise<number[]> {
    return [...(this.#known.get(text) ?? (await this.#embedQuery(text)))]
  }
}

export const llamaIndex: Peer = {
  name: 'LlamaIndex.TS 0.12.1',
  setting: '`VectorStoreIndex` in memory',
  build: async (passages, embedQuery) => {
    const known = new Map(passages.map((passage) => [textOf(passage), [...passage.vector]]))
    Settings.embedModel = new GivenEmbedding(known, embedQuery)
    const nodes = passages.map(
      (passage, place) =>
        new TextNode({
          id_: String(place),
          text: textOf(passage),
          embedding: [...passage.vector],
          metadata: {},
        }),
    )
    const index = await VectorStoreIndex.init({ nodes })
    return async (query, most) => {
      const found = await index.asRetriever({ similarityTopK: most }).retrieve({ query })
      return found.map(({ node }) => Number(node.id_))
    }
  },
}
