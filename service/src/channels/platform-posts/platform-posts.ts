import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../kernel/duration.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { createRowQueue } from '../../platform/jobs/row-queue.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { findIntegrationById, noteProblem, type IntegrationRow } from '../integrations/integrations.ts'
import { createUnstoredLanes } from '../platform-hooks/platform-hooks.ts'
import { LOST } from './failed-request.ts'
import { createLanePace } from './lane-pace.ts'
import {
  claimPosts,
  deleteOldPosts,
  insertPosts,
  isActiveBase,
  listLostPosts,
  settlePost,
  type ClaimedPost,
  type PlatformPostsDb,
} from './platform-posts-store.ts'
import { openContent, sealContent, type PostContent } from './post-content.ts'
import { endOf, GAVE_UP, problemAfter, UNREADABLE, type End } from './post-ends.ts'
import type { PostEnd, PostOutcome } from './post-outcome.ts'

export { isUncertainty, outcomeOfFault, retryAfterMs, sendPost, unconfirmed } from './failed-request.ts'
export type { PostEnd, PostOutcome } from './post-outcome.ts'
export { findPostedMessage, type PlatformPostsDb } from './platform-posts-store.ts'

/** A post that was decided. */
export interface NewPost extends PostContent {
  knowledgeBaseId: string
  integrationId: string
  /** The channel or ticket: posts of one lane are sent in order. */
  lane: string
  /** The answer that it shows, for platforms that rate the post and not the answer. */
  messageId?: string | undefined
}

/** How posts reach a platform. */
export interface PostDriver {
  /** Sends one post, and says what became of it. Must not throw for what a platform or network does. */
  send(integration: IntegrationRow, body: unknown, signal: AbortSignal): Promise<PostOutcome>
  /** Whether sending it twice shows it once: then it is sent again after a crash. */
  isRepeatable?(body: unknown): boolean
  /** Milliseconds between two posts of a lane. */
  spacingOf(integration: IntegrationRow): number
  /** What follows from the end of a post, in the transaction that stores it. Returns what to do after it. */
  ended?(
    transaction: PlatformPostsDb,
    integration: IntegrationRow,
    body: unknown,
    end: PostEnd,
  ): Promise<(() => void) | undefined>
}

export interface PlatformPostsDeps {
  db: PlatformPostsDb
  sealer: Sealer
  now: () => Date
  newId: () => string
  driverOf: (integration: IntegrationRow) => PostDriver | undefined
  /** What follows from the end of a post with a note, in the transaction that stores it: posts that are recorded there too. */
  noted: (transaction: PlatformPostsDb, note: unknown, end: PostEnd) => Promise<readonly NewPost[]>
  report: (fault: unknown, doing: string) => void
}

/** Longer than an attempt and its pace take; after this time the process that sent it has died. */
export const POST_LOST_AFTER_SECONDS = 120

const AT_ONCE = 16
/** Posts in memory that may not be stored. */
const MOST_UNSTORED = 500
const DRAIN_MS = 2_000
/** Whoever asked has waited long enough then. */
const STALE_AFTER_MS = 15 * 60 * 1_000
const FIRST_RETRY_MS = 1_000
const LONGEST_WAIT_MS = 5 * 60 * 1_000
const KEPT_DAYS = 30

/**
 * Posts to platforms, each at most once: what was decided is stored in the transaction of its decision, and marked before it is sent. If the
 * mark is found after a crash, it is sent again only where that shows it once.
 */
export function createPlatformPosts(deps: PlatformPostsDeps) {
  const { db, sealer, now, newId, driverOf, noted, report } = deps
  const pace = createLanePace(() => performance.now())

  /** Records what has to be posted. Call it in the transaction that decides it, and `wake` afterwards. */
  async function record(transaction: Db<'platform_posts'>, posts: readonly NewPost[]): Promise<void> {
    const rows = posts.map(({ knowledgeBaseId, integrationId, lane, messageId, ...content }) => {
      const id = newId()
      return {
        knowledge_base_id: knowledgeBaseId,
        id,
        integration_id: integrationId,
        lane,
        sealed_body: sealContent(sealer, id, content),
        status: 'pending' as const,
        attempts: 0,
        not_before: null,
        platform_ref: null,
        error: null,
        message_id: messageId ?? null,
        attempted_at: null,
        created_at: now(),
        updated_at: now(),
      }
    })
    await insertPosts(transaction, rows)
  }

  /** An outcome, or when to try again. */
  function decide(outcome: PostOutcome, { attempts, since }: { attempts: number; since: Date }) {
    if (outcome.is !== 'wait' && outcome.is !== 'again') return outcome
    const asked = outcome.is === 'wait' ? outcome.ms : FIRST_RETRY_MS * 2 ** Math.min(attempts, 8)
    const at = now().getTime() + Math.min(asked, LONGEST_WAIT_MS)
    if (at - since.getTime() > STALE_AFTER_MS) return { is: 'failed' as const, because: GAVE_UP }
    return { is: 'later' as const, at: new Date(at) }
  }

  async function attempt(
    integration: IntegrationRow,
    lane: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<PostOutcome> {
    const paced = `${integration.id} ${lane}`
    const driver = driverOf(integration)
    if (driver === undefined) return { is: 'failed', because: 'This platform is not driven by this service.' }
    try {
      await pace.wait(paced, signal)
    } catch {
      return { is: 'again' }
    }
    try {
      return await driver.send(integration, body, signal)
    } catch (fault) {
      report(fault, 'posting to a platform')
      return { is: 'unknown', because: 'An answer could not be posted: something went wrong here.' }
    } finally {
      pace.rest(paced, driver.spacingOf(integration))
    }
  }

  const noteOutcome = async (
    {
      knowledge_base_id: knowledgeBaseId,
      integration_id: id,
    }: Pick<ClaimedPost, 'knowledge_base_id' | 'integration_id'>,
    problem: string | null,
  ) => noteProblem(db, { knowledgeBaseId, id }, problem, now())

  /** Why a post that was decided is not sent any more. */
  async function refusalOf(
    post: Pick<ClaimedPost, 'knowledge_base_id' | 'created_at'>,
    { enabled }: IntegrationRow,
  ): Promise<string | undefined> {
    if (!enabled) return 'The integration was switched off.'
    if (!(await isActiveBase(db, post.knowledge_base_id))) return 'The knowledge base was archived.'
    return now().getTime() - post.created_at.getTime() > STALE_AFTER_MS ? GAVE_UP : undefined
  }

  /** What follows from it is not known. It must not keep its lane waiting. */
  async function giveUpUnreadable(post: ClaimedPost): Promise<void> {
    await settlePost(db, post, { status: 'failed', error: UNREADABLE }, now())
    await noteOutcome(post, UNREADABLE)
    queue.wake()
  }

  /** Stores how a post ended, and what follows from it. Returns the posts that follow, which `keep` may have stored. */
  async function finish(
    integration: IntegrationRow,
    { body, note }: PostContent,
    outcome: End,
    {
      settles,
      keep,
    }: {
      settles: (transaction: PlatformPostsDb) => Promise<boolean>
      keep: (transaction: PlatformPostsDb, following: readonly NewPost[]) => Promise<void>
    },
  ): Promise<readonly NewPost[]> {
    const driver = driverOf(integration)
    const { after, following } = await db.transaction().execute(async (transaction: PlatformPostsDb) => {
      if (!(await settles(transaction))) return { after: undefined, following: [] }
      const ended = await driver?.ended?.(transaction, integration, body, outcome.is)
      const posts = note === undefined ? [] : await noted(transaction, note, outcome.is)
      await keep(transaction, posts)
      return { after: ended, following: posts }
    })
    after?.()
    return following
  }

  async function finishStored(
    integration: IntegrationRow,
    post: ClaimedPost,
    content: PostContent,
    outcome: End,
  ): Promise<void> {
    const end = endOf(outcome)
    const following = await finish(integration, content, outcome, {
      settles: (transaction) => settlePost(transaction, post, end, now()),
      keep: record,
    })
    if (following.length > 0) queue.wake()
  }

  /** Stored before it is sent: after a crash it is known which form was on its way. */
  async function storeInstead(post: ClaimedPost, content: PostContent): Promise<void> {
    const instead = { notBefore: now(), sealedBody: sealContent(sealer, post.id, content) }
    await settlePost(db, post, { status: 'pending', ...instead }, now())
    queue.wake()
  }

  async function work(post: ClaimedPost, signal: AbortSignal): Promise<void> {
    const integration = await findIntegrationById(db, post.integration_id)
    if (integration === undefined || post.sealed_body === null) return
    const content = openContent(sealer, post)
    if (content === undefined) return await giveUpUnreadable(post)
    const refused = await refusalOf(post, integration)
    if (refused !== undefined) {
      await finishStored(integration, post, content, { is: 'failed', because: refused })
      if (refused === GAVE_UP) await noteOutcome(post, GAVE_UP)
      return
    }
    const outcome = decide(await attempt(integration, post.lane, content.body, signal), {
      attempts: post.attempts,
      since: post.created_at,
    })
    if (outcome.is === 'instead') return await storeInstead(post, { ...content, body: outcome.body })
    if (outcome.is === 'later') {
      await settlePost(db, post, { status: 'pending', notBefore: outcome.at }, now())
      setTimeout(() => queue.wake(), Math.max(0, outcome.at.getTime() - now().getTime()) + 1).unref()
      return
    }
    await finishStored(integration, post, content, outcome)
    const problem = problemAfter(outcome, content)
    if (problem !== undefined) await noteOutcome(post, problem)
  }

  /** One after the other. @throws when the service stops */
  async function sendAll(posts: readonly NewPost[], signal: AbortSignal): Promise<void> {
    const since = now()
    for (const { knowledgeBaseId, integrationId, lane, ...given } of posts) {
      let content: PostContent = given
      const place = { knowledge_base_id: knowledgeBaseId, integration_id: integrationId }
      for (let attempts = 1; ; attempts += 1) {
        const integration = await findIntegrationById(db, integrationId)
        if (integration === undefined) return
        const refused = await refusalOf({ ...place, created_at: since }, integration)
        const outcome =
          refused === undefined
            ? decide(await attempt(integration, lane, content.body, signal), { attempts, since })
            : { is: 'failed' as const, because: refused }
        if (outcome.is === 'later') {
          await sleep(Math.max(0, outcome.at.getTime() - now().getTime()), undefined, { signal })
          continue
        }
        if (outcome.is === 'instead') {
          content = { ...content, body: outcome.body }
          continue
        }
        const following = await finish(integration, content, outcome, {
          settles: () => Promise.resolve(true),
          keep: () => Promise.resolve(),
        })
        const problem =
          refused === undefined || refused === GAVE_UP ? problemAfter(outcome, content) : undefined
        if (problem !== undefined) await noteOutcome(place, problem)
        await sendAll(following, signal)
        break
      }
    }
  }

  const ending = new AbortController()
  const unstored = createUnstoredLanes({ atOnce: Infinity, mostOfAChannel: Infinity, most: MOST_UNSTORED })

  /**
   * Posts what may not be stored: it is lost if the process ends before. It waits aside where a platform asks to, and keeps nobody's place.
   * Posts that begin in the same lane are sent in the order of the calls. If too many wait, this ends when its own are sent.
   */
  async function sendUnstored(posts: readonly NewPost[]): Promise<void> {
    const [first] = posts
    if (first === undefined) return
    const send = () =>
      sendAll(posts, ending.signal).catch((fault: unknown) => {
        if (!ending.signal.aborted) report(fault, 'posting to a platform')
      })
    const lane = `${first.integrationId} ${first.lane}`
    if (!unstored.add({ lane, channel: lane }, send)) await send()
  }

  /** After a crash: what may be sent twice waits again, anything else may have arrived. */
  async function settleLost(post: ClaimedPost): Promise<void> {
    const integration = await findIntegrationById(db, post.integration_id)
    if (integration === undefined) return
    const content = openContent(sealer, post)
    if (content === undefined) return await giveUpUnreadable(post)
    if (driverOf(integration)?.isRepeatable?.(content.body) === true) {
      await settlePost(db, post, { status: 'pending', notBefore: now() }, now())
      return
    }
    await finishStored(integration, post, content, { is: 'unknown', because: LOST })
    await noteOutcome(post, LOST)
  }

  const queue = createRowQueue<ClaimedPost>({
    claim: (most) => claimPosts(db, { most, now: now() }),
    work,
    atOnce: AT_ONCE,
    drainMs: DRAIN_MS,
    report,
    doing: 'posting to a platform',
  })

  const upkeep: Job = {
    name: 'forget-platform-posts',
    schedule: '41 * * * *',
    handle: async () => {
      await deleteOldPosts(db, new Date(now().getTime() - KEPT_DAYS * DAY_MS))
    },
  }

  return {
    record,
    sendUnstored,
    wake: () => queue.wake(),
    jobs: [upkeep],
    /** Gives up on attempts that a crash interrupted, unless they may be repeated, and sends what waits. Pass 0 if no other process can be at work. */
    recover: async (lostAfterSeconds: number): Promise<void> => {
      const before = new Date(now().getTime() - lostAfterSeconds * 1_000)
      // One that cannot be ended keeps nobody from starting.
      for (const lost of await listLostPosts(db, before))
        await settleLost(lost).catch((fault: unknown) => report(fault, 'settling a post that was lost'))
      queue.wake()
    },
    stop: async (): Promise<void> => {
      // What waits is given the time that the queue gives.
      const timer = setTimeout(() => ending.abort(new Error('The service is shutting down.')), DRAIN_MS)
      await queue.stop()
      await unstored.drained()
      clearTimeout(timer)
    },
  }
}

export type PlatformPosts = ReturnType<typeof createPlatformPosts>
