/** The rules of who sees what, as small as they can be said. Everything real has its id here; nothing here asks the service. */
export interface ModelSource {
  id: string
  groupId: string | undefined
  visibility: 'public' | 'restricted'
  label: string | undefined
  holdsCustomAnswers: boolean
}

export interface ModelDocument {
  /** By which it is pushed, or the id of the custom answer. */
  externalId: string
  /** Of the document. */
  id: string
  source: ModelSource
  visibility: 'public' | 'restricted'
  /** It was made public or restricted by itself. */
  isOwn: boolean
  /** A word that asks for this document, and stands in no other. */
  lure: string
  /** A word that stands in its present version alone. */
  canary: string
  /** Canaries of every version that was public at some moment: what old answers may have told. */
  told: Set<string>
}

export interface ModelKey {
  id: string
  key: string
  /** Empty for every group; ids of deleted groups stay in it. */
  groupIds: string[]
  isRevoked: boolean
}

export interface ModelWorld {
  baseId: string
  /** Of the MCP server that takes keys; it goes when the base turns internal, and does not come back. */
  serverName: string
  hasServer: boolean
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  groupIds: string[]
  sources: ModelSource[]
  documents: ModelDocument[]
  keys: ModelKey[]
  /** Conversations, and the key that each was begun with. */
  threads: { id: string; key: ModelKey }[]
  /** Every label that a source ever had. */
  labels: Set<string>
  counter: number
}

/** A word that no other contains, and that means nothing: `zq0000aqz`. */
export function newWord(world: ModelWorld, kind: 'canary' | 'lure' | 'label'): string {
  world.counter += 1
  const number = world.counter.toString(36).padStart(4, '0')
  const [start, end] = { canary: ['zq', 'qz'], lure: ['xk', 'kx'], label: ['zl', 'lz'] }[kind] as [
    string,
    string,
  ]
  return `${start}${number}${end}`
}

/** The groups that a request may use; undefined for everything, also what has no group; a refusal where it asks for others. */
export function scopeOf(
  { groupIds: known }: ModelWorld,
  key: ModelKey,
  asked: readonly string[],
): readonly string[] | undefined | 'GROUP_NOT_ALLOWED' {
  if (asked.length === 0) return key.groupIds.length === 0 ? undefined : key.groupIds
  const isAllowed = (id: string) =>
    known.includes(id) && (key.groupIds.length === 0 || key.groupIds.includes(id))
  return asked.every(isAllowed) ? asked : 'GROUP_NOT_ALLOWED'
}

/** What a public surface may tell of at this moment, within these groups. */
export const readableIn = (world: ModelWorld, scope: readonly string[] | undefined): ModelDocument[] =>
  world.documents.filter(
    ({ visibility, source }) =>
      visibility === 'public' &&
      (scope === undefined || (source.groupId !== undefined && scope.includes(source.groupId))),
  )

/** Why a key opens nothing; undefined where it does. */
export function refusalOfKey({ type, status }: ModelWorld, key: ModelKey): string | undefined {
  if (type === 'internal') return 'KNOWLEDGE_BASE_INTERNAL'
  if (key.isRevoked) return 'UNAUTHENTICATED'
  return status === 'archived' ? 'KNOWLEDGE_BASE_ARCHIVED' : undefined
}

/** Remembers what can have been told by now: to be called before each question. */
export function noteTold(world: ModelWorld): void {
  for (const document of world.documents)
    if (document.visibility === 'public') document.told.add(document.canary)
}

/** The visibility that something new gets. */
export const visibilityOfNew = (
  { type }: ModelWorld,
  source: ModelSource,
  said: 'public' | 'restricted' | undefined,
): Pick<ModelDocument, 'visibility' | 'isOwn'> => {
  if (type === 'internal') return { visibility: 'restricted', isOwn: said === 'restricted' }
  return { visibility: said ?? source.visibility, isOwn: said !== undefined }
}

/** What a word about one document does to it. In an internal base none makes it public. */
export function sayVisibility(
  world: ModelWorld,
  document: ModelDocument,
  said: 'public' | 'restricted',
): void {
  if (world.type === 'internal' && said === 'public') return
  Object.assign(document, { visibility: said, isOwn: true })
}

/** All that happens at once when a base changes its type. */
export function switchType(world: ModelWorld): void {
  world.type = world.type === 'external' ? 'internal' : 'external'
  if (world.type === 'internal') {
    world.hasServer = false
    for (const key of world.keys) key.isRevoked = true
  }
  for (const document of world.documents) {
    if (document.visibility === 'public') Object.assign(document, { visibility: 'restricted', isOwn: false })
  }
}
