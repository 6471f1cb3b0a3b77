/** The rules of visibility, as small as possible. Records are represented by their ids; nothing here calls the service. */
export interface ModelSource {
  id: string
  groupId: string | undefined
  visibility: 'public' | 'restricted'
  label: string | undefined
  holdsCustomAnswers: boolean
}

export interface ModelDocument {
  /** The id under which it is pushed, or the id of the custom answer. */
  externalId: string
  /** The id of the document. */
  id: string
  source: ModelSource
  visibility: 'public' | 'restricted'
  /** Its visibility was set on the document itself. */
  isOwn: boolean
  /** A word that finds this document, and is in no other. */
  lure: string
  /** A word that is only in its current version. */
  canary: string
  /** The canaries of all versions that were public at any time: old answers may contain them. */
  disclosed: Set<string>
}

export interface ModelKey {
  id: string
  key: string
  /** Empty for all groups; ids of deleted groups stay in it. */
  groupIds: string[]
  isRevoked: boolean
}

export interface ModelWorld {
  baseId: string
  /** The MCP server for client keys; it is deleted when the base becomes internal, and does not come back. */
  serverName: string
  hasServer: boolean
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  groupIds: string[]
  sources: ModelSource[]
  documents: ModelDocument[]
  keys: ModelKey[]
  /** Conversations, each with the key that started it. */
  threads: { id: string; key: ModelKey }[]
  /** Every label that a source has had. */
  labels: Set<string>
  counter: number
}

/** A meaningless word that no other contains: `zq0000aqz`. */
export function newWord(world: ModelWorld, kind: 'canary' | 'lure' | 'label'): string {
  world.counter += 1
  const number = world.counter.toString(36).padStart(4, '0')
  const [start, end] = { canary: ['zq', 'qz'], lure: ['xk', 'kx'], label: ['zl', 'lz'] }[kind] as [
    string,
    string,
  ]
  return `${start}${number}${end}`
}

/** The groups that a request may use; undefined for everything, including documents without a group; a refusal if it names others. */
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

/** What a public surface may disclose now, within these groups. */
export const readableIn = (world: ModelWorld, scope: readonly string[] | undefined): ModelDocument[] =>
  world.documents.filter(
    ({ visibility, source }) =>
      visibility === 'public' &&
      (scope === undefined || (source.groupId !== undefined && scope.includes(source.groupId))),
  )

/** Why a key is refused; undefined if it is accepted. */
export function refusalOfKey({ type, status }: ModelWorld, key: ModelKey): string | undefined {
  if (type === 'internal') return 'KNOWLEDGE_BASE_INTERNAL'
  if (key.isRevoked) return 'UNAUTHENTICATED'
  return status === 'archived' ? 'KNOWLEDGE_BASE_ARCHIVED' : undefined
}

/** Records what may have been disclosed by now: call it before each question. */
export function noteTold(world: ModelWorld): void {
  for (const document of world.documents)
    if (document.visibility === 'public') document.disclosed.add(document.canary)
}

/** The visibility of a new document. */
export const visibilityOfNew = (
  { type }: ModelWorld,
  source: ModelSource,
  said: 'public' | 'restricted' | undefined,
): Pick<ModelDocument, 'visibility' | 'isOwn'> => {
  if (type === 'internal') return { visibility: 'restricted', isOwn: said === 'restricted' }
  return { visibility: said ?? source.visibility, isOwn: said !== undefined }
}

/** The effect of setting one document's visibility. In an internal base it cannot become public. */
export function sayVisibility(
  world: ModelWorld,
  document: ModelDocument,
  said: 'public' | 'restricted',
): void {
  if (world.type === 'internal' && said === 'public') return
  Object.assign(document, { visibility: said, isOwn: true })
}

/** Everything that happens immediately when a base changes its type. */
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
