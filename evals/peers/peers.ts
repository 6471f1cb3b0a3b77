import type { Peer } from './peer.ts'

/** A peer by name, whose code is only loaded when it is measured: code takes memory too. */
interface KnownPeer {
  name: string
  load: () => Promise<Peer>
}

/** All peers, in the order in which they are measured and shown. */
export const PEERS: readonly KnownPeer[] = [
  { name: 'MiniSearch', load: async () => (await import('./minisearch-peer.ts')).miniSearch },
  { name: 'Orama', load: async () => (await import('./orama-peers.ts')).orama },
  { name: 'Orama as it comes', load: async () => (await import('./orama-peers.ts')).oramaAsItComes },
  { name: 'LangChain vectors', load: async () => (await import('./langchain-peers.ts')).langChainVectors },
  { name: 'LangChain ensemble', load: async () => (await import('./langchain-peers.ts')).langChainEnsemble },
  { name: 'LlamaIndex vectors', load: async () => (await import('./llamaindex-peers.ts')).llamaIndexVectors },
  { name: 'LlamaIndex words', load: async () => (await import('./llamaindex-peers.ts')).llamaIndexWords },
]
