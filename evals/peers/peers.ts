import type { Peer } from './peer.ts'

/** A peer by its name, with the code it needs loaded only when it is measured: code is memory too. */
interface KnownPeer {
  name: string
  load: () => Promise<Peer>
}

/** All of them, in the order that they are measured and shown in. */
export const PEERS: readonly KnownPeer[] = [
  { name: 'MiniSearch', load: async () => (await import('./minisearch-peer.ts')).miniSearch },
  { name: 'Orama', load: async () => (await import('./orama-peers.ts')).orama },
  { name: 'Orama as it comes', load: async () => (await import('./orama-peers.ts')).oramaAsItComes },
  { name: 'LangChain vectors', load: async () => (await import('./langchain-peers.ts')).langChainVectors },
  { name: 'LangChain ensemble', load: async () => (await import('./langchain-peers.ts')).langChainEnsemble },
  { name: 'LlamaIndex vectors', load: async () => (await import('./llamaindex-peers.ts')).llamaIndexVectors },
  { name: 'LlamaIndex words', load: async () => (await import('./llamaindex-peers.ts')).llamaIndexWords },
]
