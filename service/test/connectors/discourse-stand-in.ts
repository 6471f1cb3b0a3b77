import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export interface StandInPost {
  id: number
  username: string
  cooked: string
  type: number
  isAccepted: boolean
  isHidden: boolean
}

export interface StandInTopic {
  id: number
  title: string
  /** What changed last. */
  word: string
  category: number
  isListed: boolean
  /** Seconds since 1970. */
  created: number
  bumped: number
  posts: StandInPost[]
}

export const DISCOURSE_KEY = 'discourse-api-key'
const USER = 'reader'
const TEAM = new Set(['grace'])

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
const refusal = (status: number, type: string, message: string): StandInAnswer => ({
  status,
  body: { errors: [message], error_type: type },
})
const notFound = () => refusal(404, 'not_found', 'The requested URL or resource could not be found.')
const noAccess = () => refusal(403, 'invalid_access', 'You are not permitted to view the requested resource.')

/**
 * The parts of a Discourse forum's API that are read, as https://docs.discourse.org describes them: the site with its categories, lists of
 * topics, topics with their first 20 posts, further posts, the session. An edited post changes nothing in a list.
 */
export async function startDiscourse(given: { pageSize?: number; isAnonymous?: boolean } = {}) {
  const { pageSize = 30, isAnonymous = false } = given
  const topics = new Map<number, StandInTopic>()
  const categories = new Map([
    [1, { name: 'Help', parent: null as number | null, isRestricted: false }],
    [2, { name: 'Keys & tokens', parent: 1 as number | null, isRestricted: false }],
    [3, { name: 'Team', parent: null as number | null, isRestricted: true }],
  ])
  const settings = { loginRequired: false }
  let time = 1_760_000_000
  let made = 100
  let isHidden = (_topic: StandInTopic) => false
  const tick = () => (time += 11)
  const next = () => (made += 1)
  const word = () => `word${next()}x`
  const isRestricted = (topic: StandInTopic) =>
    settings.loginRequired || categories.get(topic.category)?.isRestricted !== false

  const present = (topic: StandInTopic) => ({
    id: topic.id,
    title: topic.title,
    fancy_title: topic.title,
    slug: topic.title.replaceAll(' ', '-'),
    posts_count: topic.posts.length,
    highest_post_number: topic.posts.length,
    created_at: iso(topic.created),
    last_posted_at: iso(topic.bumped),
    visible: topic.isListed,
    closed: false,
    archived: false,
    archetype: 'regular',
    category_id: topic.category,
  })
  const presentPost = (post: StandInPost, at: number, topic: StandInTopic) => ({
    id: post.id,
    username: post.username,
    created_at: '2026-03-04T05:06:07.000Z',
    updated_at: iso(topic.bumped),
    cooked: post.cooked,
    post_number: at + 1,
    post_type: post.type,
    topic_id: topic.id,
    staff: TEAM.has(post.username),
    admin: false,
    moderator: TEAM.has(post.username),
    hidden: post.isHidden,
    deleted_at: null,
    user_deleted: false,
    ...(post.isAccepted && { accepted_answer: true }),
  })

  function latest({ query }: StandInRequest, visible: readonly StandInTopic[]): StandInAnswer {
    if (unknownFields(query, ['order', 'ascending', 'page']).length > 0) return notFound()
    const page = Number(query.get('page'))
    const order = query.get('order')
    if (!Number.isInteger(page) || (order !== 'activity' && order !== 'created'))
      return refusal(400, 'invalid_parameters', 'You supplied invalid parameters to the request.')
    const sign = query.get('ascending') === 'true' ? 1 : -1
    const keyOf = ({ created, bumped }: StandInTopic) => (order === 'created' ? created : bumped)
    const sorted = visible
      .filter(({ isListed }) => isListed)
      .toSorted((one, other) => sign * (keyOf(one) - keyOf(other)))
    const found = sorted.slice(page * pageSize, (page + 1) * pageSize)
    const hasMore = sorted.length > (page + 1) * pageSize
    return {
      body: {
        users: [],
        topic_list: {
          can_create_topic: false,
          per_page: pageSize,
          ...(hasMore && { more_topics_url: `/latest?order=${order}&page=${page + 1}` }),
          topics: found.map((topic) => ({ ...present(topic), bumped: true, bumped_at: iso(topic.bumped) })),
        },
      },
    }
  }

  function oneTopic(topic: StandInTopic): StandInAnswer {
    const posts = topic.posts.map((post, at) => presentPost(post, at, topic))
    const stream = topic.posts.map(({ id }) => id)
    return {
      body: {
        ...present(topic),
        tags: ['api'],
        deleted_at: null,
        chunk_size: 20,
        post_stream: { posts: posts.slice(0, 20), stream },
      },
    }
  }

  function morePosts({ query }: StandInRequest, topic: StandInTopic): StandInAnswer {
    const ids = query.getAll('post_ids[]').map(Number)
    if (ids.length === 0 || unknownFields(query, ['post_ids[]']).length > 0) return notFound()
    const posts = topic.posts
      .map((post, at) => presentPost(post, at, topic))
      .filter(({ id }) => ids.includes(id))
    return { body: { post_stream: { posts }, id: topic.id } }
  }

  function site(seen: (isRestricted: boolean) => boolean): StandInAnswer {
    const found = [...categories].filter(([, one]) => seen(one.isRestricted))
    return {
      body: {
        categories: found.map(([id, one]) => ({
          id,
          name: one.name,
          read_restricted: one.isRestricted,
          ...(one.parent !== null && { parent_category_id: one.parent }),
        })),
      },
    }
  }

  function topicAt(request: StandInRequest, visible: readonly StandInTopic[]): StandInAnswer {
    const [, id, more] = /^\/t\/(\d+)(\/posts)?\.json$/.exec(request.path) ?? []
    const topic = topics.get(Number(id))
    // A forum does not tell what it hides from what never was, unless its setting `detailed_404` is on.
    if (topic === undefined || !visible.includes(topic)) return notFound()
    return more === undefined ? oneTopic(topic) : morePosts(request, topic)
  }

  const server = await startStandIn((request) => {
    const { headers, path } = request
    const key = headers['api-key']
    const isSignedIn = key === DISCOURSE_KEY && headers['api-username'] === USER
    if (key !== undefined && !isSignedIn) return noAccess()
    if (request.method !== 'GET') return notFound()
    if (settings.loginRequired && !isSignedIn)
      return refusal(403, 'not_logged_in', 'You need to be logged in to do that.')
    const seen = (restricted: boolean) => isSignedIn || !restricted
    const visible = [...topics.values()].filter(
      (topic) => !isHidden(topic) && seen(categories.get(topic.category)?.isRestricted !== false),
    )
    if (path === '/site.json') return site(seen)
    if (path === '/session/current.json')
      return isSignedIn ? { body: { current_user: { id: 7, username: USER } } } : notFound()
    if (path === '/latest.json') return latest(request, visible)
    return topicAt(request, visible)
  })

  const addPost = (topic: StandInTopic, cooked: string, more: Partial<StandInPost> = {}): StandInPost => {
    const post = {
      id: next(),
      username: 'grace',
      cooked,
      type: 1,
      isAccepted: false,
      isHidden: false,
      ...more,
    }
    topic.posts.push(post)
    topic.bumped = tick()
    return post
  }
  const addTopic = (random: Random): StandInTopic => {
    const said = word()
    const created = tick()
    const topic: StandInTopic = {
      id: next(),
      title: random.words(3),
      word: said,
      category: random.of(isAnonymous ? [1, 2] : [1, 2, 3]),
      isListed: random.below(10) > 0,
      created,
      bumped: created,
      posts: [],
    }
    topics.set(topic.id, topic)
    addPost(topic, `<h2>About it</h2><p>The word is ${said}.</p>`, { username: 'ada' })
    return topic
  }

  const firstWordOf = ({ posts: [first] }: StandInTopic) =>
    /The word is (\w+)/.exec(first?.cooked ?? '')?.[1] ?? 'The word is'

  const changes: Record<string, (topic: StandInTopic, random: Random) => void> = {
    reply: (topic) => {
      topic.word = word()
      addPost(topic, `<p>Try ${topic.word}.</p>`)
    },
    'many replies': (topic) => {
      for (let reply = 0; reply < 25; reply += 1) addPost(topic, '<p>Me too.</p>')
      topic.word = word()
      addPost(topic, `<p>Solved: ${topic.word}.</p>`)
    },
    'delete a post': (topic) => {
      if (topic.posts.length < 2) return
      const post = topic.posts.pop()
      if (post?.cooked.includes(topic.word) === true) topic.word = firstWordOf(topic)
    },
    rename: (topic, random) => {
      topic.title = random.words(4)
    },
    move: (topic, random) => {
      topic.category = random.of(isAnonymous ? [1, 2] : [1, 2, 3])
    },
    unlist: (topic) => {
      topic.isListed = false
    },
    list: (topic) => {
      topic.isListed = true
    },
    delete: ({ id }) => void topics.delete(id),
    'close a category': () => {
      const category = categories.get(2)
      if (category !== undefined && !isAnonymous) category.isRestricted = true
    },
    'open a category': () => {
      const category = categories.get(2)
      if (category !== undefined) category.isRestricted = false
    },
    'require a sign-in': () => {
      settings.loginRequired = !isAnonymous
    },
    'require no sign-in': () => {
      settings.loginRequired = false
    },
  }

  const model: SourceModel = {
    type: 'discourse',
    config: { url: server.origin, username: USER },
    credentials: isAnonymous ? undefined : { token: DISCOURSE_KEY },
    server,
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      for (const topic of topics.values())
        if (topic.isListed)
          found.set(String(topic.id), { text: topic.word, isRestricted: isRestricted(topic) })
      return found
    },
    add: (random) => void addTopic(random),
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changes)])
      const topic = topics.size === 0 ? undefined : random.of([...topics.values()])
      const change = changes[kind]
      if (topic === undefined || change === undefined) {
        addTopic(random)
        return 'add'
      }
      change(topic, random)
      return `${kind} ${topic.id}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...topics.values()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (topic) => !shown.has(topic)
      return () => {
        isHidden = () => false
      }
    },
  }
  return {
    model,
    server,
    topics,
    settings,
    addTopic,
    addPost,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
