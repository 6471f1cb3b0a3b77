import { createRequire } from 'node:module'
import { BaseEmbedding, Settings, TextNode, VectorStoreIndex } from 'llamaindex'
import type { IndexedPassage } from '../../service/test/open-passages.ts'
import { textOf, type EmbedQuery, type Peer } from './peer.ts'

/** Embeds only questions: the vectors of the nodes are given. */
class GivenEmbedding extends BaseEmbedding {
  readonly #embedQuery: EmbedQuery
  readonly known = new Map<string, number[]>()

  constructor(embedQuery: EmbedQuery) {
    super()
    this.#embedQuery = embedQuery
  }

  override async getTextEmbedding(text: string): Promise<number[]> {
    return this.known.get(text) ?? [...(await this.#embedQuery(text))]
  }
}

const nodesOf = (passages: readonly IndexedPassage[]) =>
  passages.map((passage, place) => new TextNode({ id_: String(place), text: textOf(passage), metadata: {} }))

async function indexOf(passages: readonly IndexedPassage[], embedQuery: EmbedQuery) {
  const embedding = new GivenEmbedding(embedQuery)
  for (const passage of passages) embedding.known.set(textOf(passage), [...passage.vector])
  Settings.embedModel = embedding
  const index = await VectorStoreIndex.init({ nodes: nodesOf(passages) })
  embedding.known.clear()
  return index
}

/** Its ES module build fails under Node: its import of `okapibm25` returns a module instead of the function. */
const loadBm25 = () =>
  createRequire(import.meta.url)('@llamaindex/bm25-retriever') as typeof import('@llamaindex/bm25-retriever')

export const llamaIndexVectors: Peer = {
  name: 'LlamaIndex.TS 0.12.1 (vectors)',
  setting: '`VectorStoreIndex` in memory',
  usesVectors: true,
  build: async (passages, embedQuery) => {
    const index = await indexOf(passages, embedQuery)
    return async (query, most) => {
      const found = await index.asRetriever({ similarityTopK: most }).retrieve({ query })
      return found.map(({ node }) => Number(node.id_))
    }
  },
}

export const llamaIndexWords: Peer = {
  name: 'LlamaIndex.TS 0.12.1 (words)',
  setting: '`Bm25Retriever` 0.0.12 on the same index; it cannot combine the two',
  usesVectors: true,
  build: async (passages, embedQuery) => {
    const { docStore } = await indexOf(passages, embedQuery)
    const { Bm25Retriever } = loadBm25()
    return async (query, most) => {
      const found = await new Bm25Retriever({ docStore, topK: most }).retrieve({ query })
      return found.map(({ node }) => Number(node.id_))
    }
  },
}
