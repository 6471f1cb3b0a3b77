import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import {
  markerMemory,
  type Connector,
  type ConnectorInput,
  type SourceItem,
  type SourceItems,
} from '../connector.ts'
import {
  escapeMarkdown,
  itemFailure,
  oncePerReading,
  openApiClient,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { productConnector } from '../rest/product-connector.ts'
import { dateAtSource, unchangedItem } from '../rest/product-item.ts'
import { rereadWindow } from '../threads/reread-window.ts'
import { isThreadFull, MAX_MESSAGES, parseThread, type ThreadMessage } from '../threads/thread-document.ts'
import {
  CurrentSession,
  type ListedTopic,
  MorePosts,
  type Post,
  Site,
  Topic,
  TopicList,
} from './discourse-schemas.ts'

export type DiscourseConfig = SourceConfig<'discourse'>
type Input = ConnectorInput<DiscourseConfig>

const NAME = 'Discourse'
const CONNECT_AGAIN =
  'Make a new key in the forum (Admin › Advanced › API keys, granular: read topics and lists), for a single user who may read the categories, and enter it here with that user name.'

/** Pages of one list: a server that always has more would never end. */
const MAX_PAGES = 5_000
/** Posts that are asked for in one request, after the first ones of a topic. */
const POSTS_AT_ONCE = 50
const REGULAR_POST = 1

const Cursor = z.object({
  since: z.string().max(50),
  /** What strangers may read: if that changes, all topics are looked at again. */
  open: z.string().max(60_000),
})
type Cursor = z.infer<typeof Cursor>

/** The categories of a forum: as the account sees them, and which of them a stranger may read. */
interface Categories {
  names: Map<number, string[]>
  open: ReadonlySet<number>
}

function namesOf({ categories }: Site): Map<number, string[]> {
  const byId = new Map(categories.map((category) => [category.id, category]))
  return new Map(
    categories.map(({ id, name, parent_category_id: parent }) => {
      const above = byId.get(parent ?? -1)?.name
      return [id, above === undefined ? [name] : [above, name]]
    }),
  )
}

/** Reads the topics of a Discourse forum, each with all its posts. */
export function createDiscourseConnector(deps: ApiDeps): Connector<DiscourseConfig> {
  const isSignedIn = ({ credentials }: Input) => credentials?.token !== undefined

  const session = perReading((input: Input) => {
    const { origin, pathname } = new URL(input.config.url)
    const open = (headers: Record<string, string>) =>
      openApiClient(deps, input, { name: NAME, origin, headers: () => headers })
    const { token } = input.credentials ?? {}
    const client = open(
      token === undefined ? {} : { 'api-key': token, 'api-username': input.config.username ?? 'system' },
    )
    return { client, stranger: open({}), folder: pathname.replace(/\/$/, '') }
  })

  /** What a stranger sees is asked for as a stranger: a forum may require that everyone signs in. */
  async function readOpen({ stranger, folder }: ReturnType<typeof session>): Promise<ReadonlySet<number>> {
    try {
      const { categories } = (await stranger.json(`${folder}/site.json`, Site)).data
      return new Set(categories.filter((one) => !one.read_restricted).map(({ id }) => id))
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'forbidden') return new Set()
      throw error
    }
  }

  const categoriesOf = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<Categories> => {
    const opened = session(input)
    const site = (await opened.client.json(`${opened.folder}/site.json`, Site)).data
    const seen = new Set(site.categories.filter((one) => !one.read_restricted).map(({ id }) => id))
    const open = isSignedIn(input) ? await readOpen(opened) : seen
    return { names: namesOf(site), open: seen.intersection(open) }
  })

  const visibilityOf = ({ open }: Categories, category: number | null | undefined) =>
    open.has(category ?? -1) ? ('as-source' as const) : ('restricted' as const)

  const isRead = ({ archetype, visible }: { archetype: string; visible: boolean }) =>
    archetype === 'regular' && visible

  const urlOf = (input: Input, { slug, id }: { slug: string; id: number }) =>
    `${input.config.url.replace(/\/$/, '')}/t/${encodeURIComponent(slug.toWellFormed())}/${id}`

  const markerOf = ({ config }: Input, categories: Categories, topic: ListedTopic) =>
    JSON.stringify([
      topic.bumped_at,
      topic.posts_count,
      topic.title,
      categories.names.get(topic.category_id ?? -1) ?? [],
      visibilityOf(categories, topic.category_id),
      config.show_names,
      // An edited post, other than the last one, changes nothing in a list.
      rereadWindow(String(topic.id), Date.parse(topic.bumped_at) || 0, deps.now()),
    ])

  /** Pages of topics. Of a list that moves while it is read one can be missing: it is looked at before it goes. */
  async function* pages(input: Input, order: string): AsyncGenerator<ListedTopic[], void, void> {
    const { client, folder } = session(input)
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { topic_list: list } = (
        await client.json(`${folder}/latest.json?${order}&page=${page}`, TopicList)
      ).data
      yield list.topics.filter(isRead)
      if ((list.more_topics_url ?? '') === '') return
      if (list.topics.length === 0) break
    }
    // Taken for whole, what is missing in the list would be removed.
    throw new ApiFailure('unexpected', `${NAME} cut off a list, or lists more topics than are read.`)
  }

  async function postsOf(input: Input, { id, post_stream: first }: Topic): Promise<Post[]> {
    const { client, folder } = session(input)
    const posts = new Map(first.posts.map((post) => [post.id, post]))
    const wanted = first.stream.slice(0, MAX_MESSAGES)
    const missing = wanted.filter((one) => !posts.has(one))
    for (let start = 0; start < missing.length; start += POSTS_AT_ONCE) {
      const ids = missing.slice(start, start + POSTS_AT_ONCE).map((one) => `post_ids[]=${one}`)
      const { data } = await client.json(`${folder}/t/${id}/posts.json?${ids.join('&')}`, MorePosts)
      for (const post of data.post_stream.posts) posts.set(post.id, post)
      if (isThreadFull([...posts.values()].map(({ cooked }) => cooked))) break
    }
    return wanted.flatMap((one) => posts.get(one) ?? []).filter(isPublicPost)
  }

  const isPublicPost = (post: Post) =>
    post.post_type === REGULAR_POST && !post.hidden && !post.user_deleted && !post.deleted_at

  function messageOf(post: Post, author: string | undefined): ThreadMessage {
    const role = post.username === author ? 'Author' : 'Participant'
    return {
      role: post.staff ? 'Staff' : role,
      name: post.username,
      at: post.created_at,
      mark: post.accepted_answer ? 'accepted answer' : undefined,
      body: { html: post.cooked },
    }
  }

  async function readTopic(
    input: Input,
    externalId: string,
    listed: ListedTopic | undefined,
  ): Promise<SourceItem> {
    const { client, folder } = session(input)
    const categories = await categoriesOf(input)
    const path = `${folder}/t/${encodeURIComponent(externalId)}.json`
    let visibility = listed === undefined ? undefined : visibilityOf(categories, listed.category_id)
    try {
      const topic = (await client.json(path, Topic)).data
      visibility = visibilityOf(categories, topic.category_id)
      if (!isRead(topic) || topic.deleted_at) return { kind: 'removed', externalId }
      const posts = await postsOf(input, topic)
      const tags = (topic.tags ?? []).map((tag) => escapeMarkdown(typeof tag === 'string' ? tag : tag.name))
      const url = urlOf(input, topic)
      const document = await parseThread(deps, input, {
        title: topic.title,
        url,
        path: categories.names.get(topic.category_id ?? -1) ?? [],
        about: [topic.closed ? 'Closed.' : '', tags.length === 0 ? '' : `Tags: ${tags.join(', ')}.`]
          .filter((part) => part !== '')
          .join(' '),
        messages: posts.map((post) => messageOf(post, posts[0]?.username)),
        showsNames: input.config.show_names,
      })
      return {
        kind: 'document',
        externalId,
        url,
        document,
        modifiedAt: dateAtSource(topic.last_posted_at ?? topic.created_at),
        // Without a list entry its marker is not known: the next list has it read once more, if it is not in this one.
        memory: markerMemory(externalId, listed === undefined ? '' : markerOf(input, categories, listed)),
        visibility,
      }
    } catch (error) {
      return itemFailure(error, { externalId, url: new URL(path, input.config.url).href, visibility })
    }
  }

  async function itemOf(input: Input, listed: ListedTopic): Promise<SourceItem> {
    const categories = await categoriesOf(input)
    const externalId = String(listed.id)
    const changed = markerOf(input, categories, listed)
    const visibility = visibilityOf(categories, listed.category_id)
    const unchanged = await unchangedItem(input, { externalId, changed, visibility })
    return unchanged ?? (await readTopic(input, externalId, listed))
  }

  /** Topics by their last activity, down to those that were read before. */
  async function* readTopics(input: Input): SourceItems {
    const { open } = await categoriesOf(input)
    const shown = [...open].toSorted((one, other) => one - other).join()
    const known = Cursor.safeParse(input.cursor)
    const since = known.success && known.data.open === shown ? known.data.since : undefined
    let newest = since ?? ''
    let count = 0
    for await (const page of pages(input, 'order=activity')) {
      count += page.length
      yield { kind: 'discovered', count }
      for (const topic of page) {
        if (topic.bumped_at > newest) newest = topic.bumped_at
        if (since === undefined || topic.bumped_at >= since) yield await itemOf(input, topic)
      }
      // Pinned topics stand before later ones.
      const last = page.at(-1)
      if (since !== undefined && last !== undefined && last.bumped_at < since) break
    }
    yield { kind: 'cursor', cursor: { since: newest, open: shown } satisfies Cursor }
    if (!known.success) yield { kind: 'complete' }
  }

  /** Topics of the list of this reading, so that those which are read by their ids get its marker. */
  const listedOf = perReading((_input: Input) => new Map<string, ListedTopic>())

  return productConnector('discourse', CONNECT_AGAIN, {
    read: readTopics,
    async *list(input) {
      const categories = await categoriesOf(input)
      for await (const page of pages(input, 'order=created&ascending=true')) {
        for (const topic of page) {
          listedOf(input).set(String(topic.id), topic)
          yield { externalId: String(topic.id), changed: markerOf(input, categories, topic) }
        }
      }
    },
    async *readItems(input, externalIds) {
      for (const externalId of externalIds)
        yield await readTopic(input, externalId, listedOf(input).get(externalId))
    },
    async check(input) {
      const { client, folder } = session(input)
      const { names, open } = await categoriesOf(input)
      await pages(input, 'order=activity').next()
      const account = isSignedIn(input)
        ? (await client.json(`${folder}/session/current.json`, CurrentSession)).data.current_user.username
        : 'not signed in'
      return {
        account,
        sees: [`${names.size} categories, ${open.size} of which everyone may read`],
        missing: isSignedIn(input)
          ? []
          : ['Without a key only what everyone may read is read, at the pace of a visitor.'],
      }
    },
  })
}
