/** One sentence of the contract that can be true or false. */
export interface Requirement {
  /** The sentence, in our words. */
  says: string
  /** Where it stands: the document, and its heading as a fragment. */
  spec: `${'interface' | 'open-items' | 'security'}#${string}`
  /** The folder that makes it true, from the root of the repository. */
  lives: string
  /** Why it is not true yet. Such a sentence may not be cited by a test. */
  deferred?: string
}
