import { createContext, use } from 'react'

const WhoCan = createContext('An owner or admin of the workspace can do this.')

/** Who may do in this workspace what a member may not, as a sentence. */
export const WhoCanProvider = WhoCan.Provider

/** The sentence for whoever lacks a permission: “Ada or Grace can do this.” */
export const useWhoCan = (): string => use(WhoCan)

/** Names in that sentence. */
const MOST_NAMES = 3

/** The sentence with the names of the owners and admins. Undefined if there is none. */
export function whoCan(names: readonly string[]): string | undefined {
  const shown = names.slice(0, MOST_NAMES)
  if (shown.length === 0) return undefined
  return `${new Intl.ListFormat('en', { type: 'disjunction' }).format(shown)} can do this.`
}
