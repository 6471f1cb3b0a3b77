import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import { answerGraphql, PAGE, type GraphqlRequest, type StandInDiscussion } from './github-discussions.ts'
import {
  iso,
  PLACE,
  presentComment,
  presentIssue,
  presentRelease,
  user,
  type StandInComment,
  type StandInIssue,
  type StandInRelease,
} from './github-records.ts'
import type { ConnectedAccounts } from './oauth-stand-in.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export const GITHUB_TOKEN = 'github_pat_stand_in'

const refusal = (status: number, message: string): StandInAnswer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})
/**
 * The parts of GitHub's API that are read, as https://docs.github.com/en/rest and its GraphQL schema describe them: a repository, issues
 * with pull requests among them, comments, releases, discussions, the user. Comments that are edited or deleted do not change the time of
 * their issue; lists have the `Link` cursor and refuse page numbers.
 */
export async function startGithub(given: { pageSize?: number } = {}) {
  const issues = new Map<number, StandInIssue>()
  const discussions = new Map<number, StandInDiscussion>()
  const releases = new Map<number, StandInRelease>()
  const moved = new Set<number>()
  const deleted = new Set<number>()
  const repository = { private: false, has_issues: true, has_discussions: true, isForStrangers: true }
  let time = 1_760_000_000
  let made = 0
  let isHidden = (_id: string) => false
  const tick = () => (time += 7)
  const next = () => (made += 1)
  const word = () => `word${next()}x`
  const isKeptOut = (sent: string | undefined) => sent !== undefined || !repository.isForStrangers

  /** The cursor of a page is the place of its last item in the order of the list, so that it survives changes before it. */
  function page<Item>(
    { query, path }: StandInRequest,
    known: readonly string[],
    sorted: readonly Item[],
    {
      keyOf,
      origin,
      present,
    }: { keyOf: (item: Item) => string; origin: string; present: (item: Item) => object },
  ): StandInAnswer {
    if (query.has('page'))
      return refusal(
        422,
        'Pagination with the page parameter is not supported for large datasets, please use cursor based pagination (after/before)',
      )
    const wrong = unknownFields(query, ['per_page', 'after', ...known])
    if (wrong.length > 0) return refusal(422, `Validation Failed: ${wrong.join()}`)
    const size = Math.min(Number(query.get('per_page') ?? '30'), given.pageSize ?? 100)
    if (!(size >= 1 && size <= 100)) return refusal(422, 'Validation Failed: per_page')
    const after = query.get('after')
    const rest = after === null ? sorted : sorted.filter((item) => keyOf(item) > atob(after))
    const found = rest.slice(0, size)
    const last = found.at(-1)
    const link = new URLSearchParams(query)
    if (last !== undefined) link.set('after', btoa(keyOf(last)))
    return {
      body: found.map(present),
      headers:
        last === undefined || rest.length <= size
          ? {}
          : {
              link: `<${origin}${path}?${link.toString()}>; rel="next", <${origin}${path}?first>; rel="first"`,
            },
    }
  }

  const visibleIssues = () => [...issues.values()].filter(({ number }) => !isHidden(`issues/${number}`))
  const keyOfTime = (updated: number, id: number) => `${iso(updated)} ${String(id).padStart(9, '0')}`

  function issueList(request: StandInRequest, origin: string): StandInAnswer {
    const { query } = request
    const since = query.get('since') ?? ''
    const isUpdated = query.get('sort') === 'updated'
    const keyOf = (issue: StandInIssue) => keyOfTime(isUpdated ? issue.updated : 0, issue.number)
    if (query.get('state') !== 'all' || query.get('direction') !== 'asc')
      return refusal(422, 'Validation Failed')
    const sorted = visibleIssues()
      .filter((issue) => iso(issue.updated) >= since)
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    return page(request, ['state', 'sort', 'direction', 'since'], sorted, {
      keyOf,
      origin,
      present: (issue) => presentIssue(issue, origin),
    })
  }

  function commentList(request: StandInRequest, origin: string, of?: StandInIssue): StandInAnswer {
    const since = request.query.get('since') ?? ''
    const sorted = (of === undefined ? visibleIssues() : [of])
      .flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
      .filter(({ comment }) => iso(comment.updated) >= since)
      .toSorted((one, other) => one.comment.updated - other.comment.updated)
    return page(request, of === undefined ? ['since', 'sort', 'direction'] : [], sorted, {
      keyOf: ({ comment }) => keyOfTime(of === undefined ? comment.updated : 0, comment.id),
      origin,
      present: ({ issue, comment }) => presentComment(issue, comment, origin),
    })
  }

  /** Requests of the stand-in's GraphQL endpoint, for a check of their queries. */
  const queries = new Set<string>()

  function oneItem(request: StandInRequest, below: string, origin: string): StandInAnswer {
    const [, kind, id, rest] = /^\/(issues|releases)\/(\d+)(\/comments)?$/.exec(below) ?? []
    if (isHidden(`${kind}/${id}`)) return refusal(404, 'Not Found')
    if (kind === 'releases') {
      const release = releases.get(Number(id))
      return release === undefined ? refusal(404, 'Not Found') : { body: presentRelease(release) }
    }
    if (moved.has(Number(id)))
      return {
        ...refusal(301, 'Moved Permanently'),
        headers: { location: `${origin}/repositories/2/issues/1` },
      }
    if (deleted.has(Number(id))) return refusal(410, 'This issue was deleted')
    const issue = issues.get(Number(id))
    if (issue === undefined) return refusal(404, 'Not Found')
    return rest === undefined ? { body: presentIssue(issue, origin) } : commentList(request, origin, issue)
  }

  function ofRepository(request: StandInRequest, below: string, origin: string): StandInAnswer {
    if (below === '') {
      const visibility = repository.private ? 'private' : 'public'
      return { body: { id: 1, full_name: 'acme/product', html_url: PAGE, visibility, ...repository } }
    }
    if (below === '/issues') return issueList(request, origin)
    if (below === '/issues/comments') return commentList(request, origin)
    if (below === '/releases') {
      const visible = [...releases.values()].filter(({ id }) => !isHidden(`releases/${id}`))
      return page(request, [], visible, {
        keyOf: ({ id }) => String(id).padStart(9, '0'),
        origin,
        present: presentRelease,
      })
    }
    return oneItem(request, below, origin)
  }

  const accounts: { of: ConnectedAccounts | undefined } = { of: undefined }
  const isToken = (authorization = '') =>
    [`Bearer ${GITHUB_TOKEN}`, `token ${GITHUB_TOKEN}`].includes(authorization) ||
    accounts.of?.isValid(authorization.replace('Bearer ', '')) === true
  function answerGraph(request: StandInRequest, isSignedIn: boolean): StandInAnswer {
    if (!isSignedIn) return refusal(401, 'This endpoint requires you to be authenticated.')
    if (request.method !== 'POST') return refusal(404, 'Not Found')
    const body = request.body as GraphqlRequest
    queries.add(body.query)
    const shown = [...discussions.values()].filter(({ number }) => !isHidden(`discussions/${number}`))
    return answerGraphql(body, { discussions: shown, pageSize: given.pageSize ?? 100 })
  }
  const server = await startStandIn((request, origin) => {
    const { path, headers } = request
    if (accounts.of !== undefined && path.startsWith('/applications/')) return accounts.of.answer(request)
    const isSignedIn = isToken(headers.authorization)
    if (!isSignedIn && isKeptOut(headers.authorization)) return refusal(401, 'Bad credentials')
    if (headers['user-agent'] === undefined) return refusal(403, 'Request forbidden by administrative rules.')
    if (path === '/graphql') return answerGraph(request, isSignedIn)
    if (request.method !== 'GET') return refusal(404, 'Not Found')
    if (path === '/user')
      return isSignedIn ? { body: user('reader') } : refusal(401, 'Requires authentication')
    // A stranger is not told that a private repository exists.
    if (!path.startsWith(PLACE) || (repository.private && !isSignedIn)) return refusal(404, 'Not Found')
    return ofRepository(request, path.slice(PLACE.length), origin)
  })

  const addIssue = (random: Random): StandInIssue => {
    const said = word()
    const issue: StandInIssue = {
      number: next(),
      title: random.words(3),
      body: `How do I do it? The word is ${said}.`,
      word: said,
      isPull: random.below(6) === 0,
      isClosed: false,
      updated: tick(),
      comments: [],
    }
    issues.set(issue.number, issue)
    return issue
  }
  const addComment = (
    issue: StandInIssue,
    text: string,
    more: Partial<StandInComment> = {},
  ): StandInComment => {
    const updated = tick()
    const comment = {
      id: next(),
      text,
      login: 'grace',
      association: 'MEMBER',
      isBot: false,
      updated,
      ...more,
    }
    issue.comments.push(comment)
    issue.updated = updated
    return comment
  }
  const addDiscussion = (random: Random): StandInDiscussion => {
    const said = word()
    const one = {
      number: next(),
      title: random.words(3),
      body: `Why? ${said}`,
      word: said,
      updated: tick(),
      comments: [],
    }
    discussions.set(one.number, one)
    return one
  }
  const addRelease = (isDraft = false) => {
    const id = next()
    releases.set(id, { id, tag: `v${id}.0`, word: word(), isDraft })
  }

  const someOf = <Item>(random: Random, items: Iterable<Item>): Item | undefined => {
    const all = [...items]
    return all.length === 0 ? undefined : random.of(all)
  }
  const changeIssue: Record<string, (issue: StandInIssue, random: Random) => void> = {
    edit: (issue) => {
      issue.word = word()
      issue.body = `It is another question now: ${issue.word}.`
      issue.updated = tick()
    },
    comment: (issue) => {
      issue.word = word()
      addComment(issue, `Try this: ${issue.word}.`)
    },
    'edit a comment': (issue, random) => {
      const comment = someOf(random, issue.comments)
      if (comment === undefined) return
      issue.word = word()
      comment.text = `Rather ${issue.word}.`
      comment.updated = tick()
    },
    'delete a comment': (issue, random) => {
      const comment = someOf(random, issue.comments)
      if (comment === undefined) return
      issue.comments = issue.comments.filter((one) => one !== comment)
      if (comment.text.includes(issue.word)) issue.word = issue.body
    },
    close: (issue) => {
      issue.isClosed = true
      issue.updated = tick()
    },
    delete: ({ number }) => {
      issues.delete(number)
      deleted.add(number)
    },
    transfer: ({ number }) => {
      issues.delete(number)
      moved.add(number)
    },
  }
  const changeElsewhere: Record<string, (random: Random) => void> = {
    'answer a discussion': (random) => {
      const one = someOf(random, discussions.values())
      if (one === undefined) return void addDiscussion(random)
      one.word = word()
      const reply = { id: next(), text: `Thanks, ${one.word}.` }
      one.comments.push({ id: next(), text: 'Do it like this.', isAnswer: true, replies: [reply] })
      one.updated = tick()
    },
    'delete a discussion': (random) => {
      const one = someOf(random, discussions.values())
      if (one !== undefined) discussions.delete(one.number)
    },
    'edit a release': (random) => {
      const one = someOf(random, releases.values())
      if (one === undefined) addRelease()
      else one.word = word()
    },
    'delete a release': (random) => void releases.delete(someOf(random, releases.values())?.id ?? 0),
    'draft a release': () => addRelease(true),
    'make private': () => void (repository.private = true),
    'make public': () => void (repository.private = false),
  }
  const add = (random: Random) =>
    void random.of([addDiscussion, () => addRelease(), addIssue, addIssue])(random)

  const model: SourceModel = {
    type: 'github',
    config: { url: PAGE },
    credentials: { token: GITHUB_TOKEN },
    server,
    documents: () => {
      const isRestricted = repository.private
      const found = new Map<string, ExpectedDocument>()
      for (const { number, isPull, word: said } of issues.values())
        if (!isPull) found.set(`issues/${number}`, { text: said, isRestricted })
      for (const { number, word: said } of discussions.values())
        found.set(`discussions/${number}`, { text: said, isRestricted })
      for (const { id, word: said, isDraft } of releases.values())
        if (!isDraft) found.set(`releases/${id}`, { text: said, isRestricted })
      return found
    },
    add,
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changeIssue), ...Object.keys(changeElsewhere)])
      const issue = someOf(random, issues.values())
      const [ofIssue, elsewhere] = [changeIssue[kind], changeElsewhere[kind]]
      if (elsewhere !== undefined) elsewhere(random)
      else if (ofIssue !== undefined && issue !== undefined) ofIssue(issue, random)
      else add(random)
      return issue === undefined ? kind : `${kind} ${issue.number}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...model.documents().keys()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (id) => !shown.has(id)
      return () => {
        isHidden = () => false
      }
    },
  }
  return {
    model,
    server,
    accounts,
    issues,
    discussions,
    releases,
    repository,
    queries,
    addIssue,
    addComment,
    addDiscussion,
    tick,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
