/** One sentence of the contract that can be tested. */
export interface Requirement {
  /** The sentence, in our words. */
  says: string
  /** Its place in the contract: the document, and the heading as a fragment. */
  spec: `${'interface' | 'open-items' | 'security'}#${string}`
  /** The file or folder that implements it, from the root of the repository. */
  lives: string
  /** Why it is not implemented yet. Tests must not cite such a sentence. */
  deferred?: string
}
