import type { Joined } from '../../platform/storage/tables.ts'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { askableBases, type MemberBase, type MemberBasesDb } from '../../accounts/grants/grants.ts'
import { hasScope, isMember, wouldBeLetIn, type Caller } from '../../accounts/permissions/permissions.ts'
import { createQuestion, type Answering } from '../../answers/answering/answering.ts'
import type { OwnConversations } from '../../answers/conversations/conversations.ts'
import type { Search } from '../../content/search/search.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Gate } from '../../platform/http/endpoint.ts'
import {
  bestBase,
  bestPages,
  narrowBases,
  searchBases,
  type AcrossBasesDb,
  type NarrowedBase,
  type Narrowing,
} from '../across-bases/across-bases.ts'
import { mapFrames, openChatStream, presentSearchResults } from '../public-api/public-api.ts'

export interface WorkspaceAskDeps {
  db: Joined<AcrossBasesDb | MemberBasesDb>
  answering: Pick<Answering, 'answerQuestion'>
  ownConversations: Pick<OwnConversations, 'baseOf'>
  search: Pick<Search, 'findPages'>
  /** The gate of these endpoints: an answer is written for longer than the look at its caller lasts. */
  authenticate: Gate<Caller>
}

const endpoint = endpointsFor<'access-token', Caller>()

const LISTERS = { bases: 'GET /api/v1/knowledge-bases', parts: 'the knowledge bases that you may chat in' }

const named = ({ id, name }: MemberBase) => ({ id, name })

/** Questions of members to all bases of a workspace that they may chat in: restricted documents are used too. */
export function createWorkspaceAskRoutes({
  db,
  answering,
  ownConversations,
  search,
  authenticate,
}: WorkspaceAskDeps) {
  /** What a request reads. Throws NOT_FOUND for a workspace or an id that the caller may not read; FORBIDDEN if nothing is left. */
  async function basesOf(caller: Caller, workspaceId: string, asked: Narrowing) {
    if (!isMember(caller, workspaceId))
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const all = await askableBases(db, caller.userId, undefined)
    const here = all.filter((base) => base.workspace_id === workspaceId)
    if (here.length === 0)
      throw new Refusal('FORBIDDEN', {
        because: 'There is no active knowledge base in this workspace that you may chat in.',
      })
    return await narrowBases(db, here, asked, LISTERS)
  }

  /** Where a question is asked: in the base of its conversation, else in the one with the best evidence. */
  async function placeOf(
    bases: readonly NarrowedBase<MemberBase>[],
    asked: { query: string; threadId: string | undefined; caller: Caller; signal: AbortSignal },
  ) {
    const { threadId, caller } = asked
    const threadIn = threadId === undefined ? undefined : await ownConversations.baseOf(caller, threadId)
    const known = bases.find(({ base }) => base.id === threadIn)
    if (known !== undefined) return { ...known, threadId }
    const best = await bestBase(search, bases, asked)
    if (best === undefined)
      throw new Refusal('NOT_FOUND', {
        because: 'No source matches all of the lists. Leave one of them out.',
      })
    return { ...best, threadId: undefined }
  }

  return [
    endpoint(ENDPOINTS.askInWorkspace, async (sent) => {
      const { caller, params, body, request, requestId, signal } = sent
      const { query, thread_id: threadId, ...narrowing } = body
      const bases = await basesOf(caller, params.id, narrowing)
      const place = await placeOf(bases, { query, threadId, caller, signal })
      const question = createQuestion(place.base, {
        query,
        acceptLanguage: request.headers.get('accept-language') ?? undefined,
        groupIds: place.groupIds,
        includeRestricted: true,
        asker: { surface: 'team', clientKeyId: undefined, userRef: caller.userId },
        isStillAllowed: () =>
          wouldBeLetIn(async () => {
            const now = await authenticate({ ...sent, endpoint: ENDPOINTS.askInWorkspace })
            const still = await basesOf(now, params.id, {})
            if (!still.some(({ base }) => base.id === place.base.id)) throw new Refusal('FORBIDDEN')
          }),
      })
      const asked = { ...question, sourceIds: place.sourceIds, threadId: place.threadId }
      const stream = await openChatStream(answering.answerQuestion(asked, signal), {
        requestId,
        accept: request.headers.get('accept'),
      })
      return mapFrames(stream, (frame) =>
        'delta' in frame || 'error' in frame ? frame : { ...frame, knowledge_base: named(place.base) },
      )
    }),
    endpoint(ENDPOINTS.searchInWorkspace, async ({ caller, params, body, signal }) => {
      const { query, limit, ...narrowing } = body
      const bases = await basesOf(caller, params.id, narrowing)
      const best = bestPages(await searchBases(search, bases, { query, limit, signal }), limit)
      const { results, ...found } = presentSearchResults(
        best.map(({ passage }) => passage),
        query,
      )
      return {
        ...found,
        results: results.flatMap((result, place) => {
          const base = best[place]?.base
          return base === undefined ? [] : { ...result, knowledge_base: named(base) }
        }),
      }
    }),
  ]
}
