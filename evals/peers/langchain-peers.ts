import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import { BM25Retriever } from '@langchain/community/retrievers/bm25'
import { Document } from '@langchain/core/documents'
import type { BaseRetriever } from '@langchain/core/retrievers'
import type { IndexedPassage } from '../../service/test/open-passages.ts'
import { textOf, type EmbedQuery, type Peer } from './peer.ts'

const documentsOf = (passages: readonly IndexedPassage[]) =>
  passages.map((passage, place) => new Document({ pageContent: textOf(passage), metadata: { place } }))

async function vectorStore(passages: readonly IndexedPassage[], embedQuery: EmbedQuery) {
  const asNumbers = async (text: string) => [...(await embedQuery(text))]
  const store = new MemoryVectorStore({
    embedQuery: asNumbers,
    embedDocuments: (texts: string[]) => Promise.all(texts.map(asNumbers)),
  })
  await store.addVectors(
    passages.map(({ vector }) => [...vector]),
    documentsOf(passages),
  )
  return store
}

const placesOf = async (retriever: BaseRetriever, query: string) =>
  (await retriever.invoke(query)).map(({ metadata }) => Number(metadata['place']))

export const langChainVectors: Peer = {
  name: 'LangChain.js 1.0 (vectors)',
  usesVectors: true,
  setting: '`MemoryVectorStore`',
  build: async (passages, embedQuery) => {
    const store = await vectorStore(passages, embedQuery)
    return (query, most) => placesOf(store.asRetriever({ k: most }), query)
  },
}

export const langChainEnsemble: Peer = {
  name: 'LangChain.js 1.0 (ensemble)',
  usesVectors: true,
  setting: '`MemoryVectorStore` and `BM25Retriever` in an `EnsembleRetriever`, half and half',
  build: async (passages, embedQuery) => {
    const store = await vectorStore(passages, embedQuery)
    const documents = documentsOf(passages)
    return (query, most) => {
      const retrievers = [
        store.asRetriever({ k: most }),
        BM25Retriever.fromDocuments(documents, { k: most, includeScore: false }),
      ]
      return placesOf(new EnsembleRetriever({ retrievers, weights: [0.5, 0.5] }), query)
    }
  },
}
