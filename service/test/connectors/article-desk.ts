import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import type { StandInServer } from './stand-in-server.ts'

export interface DeskArticle {
  id: number
  title: string
  word: string
  /** Id of its place. */
  place: number
  isPublished: boolean
  /** Seconds since 1970. */
  updated: number
}

/** A folder, a collection: what articles are filed in. */
export interface DeskPlace {
  id: number
  name: string
  /** Everyone may read what is in it. */
  isOpen: boolean
  /** The place that it is in. */
  parent: number | undefined
}

/**
 * The articles of a help desk, in places that are open to everyone or not: what the stand-ins of several products have in common. Each of
 * them shows it through the API of its product.
 */
export function createArticleDesk() {
  const articles = new Map<number, DeskArticle>()
  const places = new Map<number, DeskPlace>([
    [10, { id: 10, name: 'Start', isOpen: true, parent: undefined }],
    [11, { id: 11, name: 'Keys', isOpen: true, parent: 10 }],
    [20, { id: 20, name: 'Partners', isOpen: false, parent: undefined }],
  ])
  let time = 1_760_000_000
  let nextId = 5_000
  let isHidden = (_id: number) => false
  const tick = () => (time += 5)
  const word = () => `word${(nextId += 1)}x`

  function isOpen(id: number | undefined): boolean {
    if (id === undefined) return true
    const place = places.get(id)
    return place !== undefined && place.isOpen && isOpen(place.parent)
  }

  function add(random: Random): DeskArticle {
    const article: DeskArticle = {
      id: (nextId += 1),
      title: random.words(3),
      word: word(),
      place: random.of([...places.keys()]),
      isPublished: random.below(10) > 0,
      updated: tick(),
    }
    articles.set(article.id, article)
    return article
  }

  const changeArticle: Record<string, (article: DeskArticle, random: Random) => void> = {
    edit: (article) => {
      article.word = word()
    },
    rename: (article, random) => {
      article.title = random.words(4)
    },
    move: (article, random) => {
      article.place = random.of([...places.keys()])
    },
    unpublish: (article) => {
      article.isPublished = false
    },
    publish: (article) => {
      article.isPublished = true
    },
  }
  /** Of a place: its articles have no new time then. */
  const changePlace: Record<string, (place: DeskPlace, random: Random) => void> = {
    close: (place) => {
      place.isOpen = false
    },
    open: (place) => {
      place.isOpen = true
    },
    'rename the place': (place, random) => {
      place.name = random.words(2)
    },
  }

  const bodyOf = ({ word: said }: DeskArticle) =>
    `<h2>About it</h2><p>The word of this article is ${said}.</p><ul><li>First<ul><li>Inner</li></ul></li></ul><table><tr><th>Plan</th><th>Limit</th></tr><tr><td>Free</td><td>10</td></tr></table><pre><code>acme --word ${said} &lt;file&gt;</code></pre>`

  return {
    articles,
    places,
    add,
    bodyOf,
    isOpen,
    iso: (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'),
    /** Those that the product shows; in the order in which they were made. */
    visible: () => [...articles.values()].filter(({ id }) => !isHidden(id)),
    model: (
      given: Pick<SourceModel, 'type' | 'config' | 'credentials'> & {
        server: StandInServer
      },
    ): SourceModel => ({
      ...given,
      documents: () => {
        const found = new Map<string, ExpectedDocument>()
        for (const article of articles.values())
          if (article.isPublished)
            found.set(String(article.id), { text: article.word, isRestricted: !isOpen(article.place) })
        return found
      },
      add: (random) => void add(random),
      change: (random) => {
        const kind = random.of(['add', 'delete', ...Object.keys(changeArticle), ...Object.keys(changePlace)])
        const article = articles.size === 0 ? undefined : random.of([...articles.values()])
        const place = random.of([...places.values()])
        if (changePlace[kind] !== undefined) {
          changePlace[kind](place, random)
          return `${kind} ${place.id}`
        }
        if (article === undefined || kind === 'add') return `add ${add(random).id}`
        if (kind === 'delete') articles.delete(article.id)
        changeArticle[kind]?.(article, random)
        article.updated = tick()
        return `${kind} ${article.id}`
      },
      hideMost: () => {
        let seen = 0
        const shown = new Set([...articles.keys()].filter(() => (seen += 1) % 4 === 0))
        isHidden = (id) => !shown.has(id)
        return () => {
          isHidden = () => false
        }
      },
    }),
  }
}
