import type { KnowledgeBase } from '@citewell/contract/knowledge-bases'
import type { Sync } from '@citewell/contract/syncs'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { htmlPage, startFakeSite, type FakePage, type FakeSite } from '../../../test/fake-site.ts'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let site: FakeSite

beforeAll(async () => {
  citewell = await startTestService()
  site = await startFakeSite()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await citewell[Symbol.asyncDispose]()
})

const json = async <Body>(method: string, path: string, body?: unknown) =>
  await citewell.json<Body>(method, `/api/v1${path}`, body)

const GERMAN = [
  'Die Schlüssel werden in jeder Nacht erneuert, wenn der Betreiber das so eingestellt hat.',
  'Ein Konto darf nicht mehr als hundert Anfragen in der Minute an den Dienst senden.',
  'Mit den Häusern der Stadt ist die Liste aller Gebäude gemeint, und sie wird von uns gepflegt.',
]
const ENGLISH = [
  'The keys are renewed every night, if the operator of the service has set it up that way.',
  'An account may not send more than a hundred requests to the service in a minute.',
  'The houses of the city are the list of all buildings that we know, and it is kept by us.',
]

const pagesOf = (texts: readonly string[], lang?: string) =>
  texts.map((text, at) => {
    const page = htmlPage(`Seite ${at + 1}`, text)
    return lang === undefined
      ? page
      : { ...page, body: String(page.body).replace('<html>', `<html lang="${lang}">`) }
  })

/** A base with a website source of these pages, not read yet. */
async function openSite(name: string, pages: readonly FakePage[], language: string | null = null) {
  const base = await json<KnowledgeBase>('POST', '/knowledge-bases', { name, language })
  const urls = pages.map((page, at) => {
    site.set(`/${name}/${at}`, page)
    return `${site.origin}/${name}/${at}`
  })
  const source = await json<{ id: string }>('POST', `/knowledge-bases/${base.id}/sources`, {
    type: 'website',
    name: 'site',
    config: { start_urls: urls },
  })
  return {
    id: base.id,
    set: (at: number, page: FakePage) => site.set(`/${name}/${at}`, page),
    sync: async () => {
      const { id } = await json<Sync>('POST', `/sources/${source.id}/sync`)
      return await citewell.until<Sync>(`/api/v1/syncs/${id}`, ({ finished_at: at }) => at !== null)
    },
    setLanguage: async (to: string | null) =>
      await json('PATCH', `/knowledge-bases/${base.id}`, { language: to }),
    language: async () => (await json<KnowledgeBase>('GET', `/knowledge-bases/${base.id}`)).language,
  }
}

/** In which language the words of its pages are analysed, and the analysed words. */
async function analysedIn(knowledgeBaseId: string) {
  const of = `knowledge_base_id = '${knowledgeBaseId}'`
  const documents = await citewell.rows(
    `select distinct split_part(indexed_with, '|', 4) as language from documents where ${of}`,
  )
  const terms = await citewell.rows(
    `select terms from chunks where ${of} union all select terms from page_words where ${of}`,
  )
  return {
    languages: documents.map(({ language }) => language),
    has: (term: string) => terms.filter((row) => ` ${String(row['terms'])} `.includes(` ${term} `)).length,
  }
}

verifies(
  'knowledge-bases.language-found',
  'the first sync finds out the language from the text of the pages, and the index and the questions follow it',
  async () => {
    const base = await openSite('deutsch', pagesOf(GERMAN))
    const first = await base.sync()
    expect(first).toMatchObject({ status: 'succeeded', counts: { added: 3, changed: 0 } })
    expect(await base.language()).toBe('de')
    const { languages, has } = await analysedIn(base.id)
    expect(languages).toEqual(['de'])
    // In a passage and on its page: the German stem, not "hausern".
    expect([has('haus'), has('hausern')]).toEqual([2, 0])
    const found = await json<{ results: { title: string }[] }>('POST', `/knowledge-bases/${base.id}/search`, {
      query: 'Haus',
    })
    expect(found.results[0]?.title).toBe('Seite 3')

    // It happens once, and no page is read or written again for it.
    site.forget()
    expect(await base.sync()).toMatchObject({ counts: { added: 0, changed: 0, unchanged: 3 } })
    expect(site.bodies().filter((path) => path.includes('deutsch'))).toEqual([])
    expect(await base.language()).toBe('de')
  },
)

verifies(
  'knowledge-bases.language-found',
  'what pages declare counts, also where their text is too short to tell; a template in English does not',
  async () => {
    const french = await openSite('french', pagesOf(['Clé', 'Compte', 'Ville'], 'fr-CA'))
    const templated = await openSite('templated', pagesOf(GERMAN, 'en'))
    await Promise.all([french.sync(), templated.sync()])
    expect([await french.language(), await templated.language()]).toEqual(['fr', 'de'])
  },
  { tags: ['long'] },
)

verifies(
  'knowledge-bases.language-found',
  'a base in English, or in several languages, has none, and is not indexed again',
  async () => {
    for (const [name, texts] of [
      ['english', ENGLISH],
      ['mixed', [...GERMAN, ...ENGLISH]],
    ] as const) {
      const base = await openSite(name, pagesOf(texts))
      await base.sync()
      expect([name, await base.language(), (await analysedIn(base.id)).languages]).toEqual([
        name,
        null,
        ['no-language'],
      ])
    }
  },
  { tags: ['long'] },
)

verifies(
  'knowledge-bases.language-found',
  'what was found stays until half of the pages are in other languages, and then goes',
  async () => {
    const base = await openSite('moving', pagesOf([...GERMAN, ENGLISH[0] ?? '']))
    await base.sync()
    expect(await base.language()).toBe('de')
    base.set(0, htmlPage('Page 1', ENGLISH[1] ?? ''))
    await base.sync()
    expect(await base.language()).toBe('de')
    base.set(1, htmlPage('Page 2', ENGLISH[2] ?? ''))
    await base.sync()
    expect([await base.language(), (await analysedIn(base.id)).languages]).toEqual([null, ['no-language']])
  },
)

verifies(
  'knowledge-bases.language-chosen',
  'a language that an owner chose is never changed, and null has it found out again',
  async () => {
    const base = await openSite('chosen', pagesOf(GERMAN), 'en')
    await base.sync()
    expect([await base.language(), (await analysedIn(base.id)).languages]).toEqual(['en', ['en']])
    await base.setLanguage(null)
    expect(await base.language()).toBe(null)
    await base.sync()
    expect([await base.language(), (await analysedIn(base.id)).languages]).toEqual(['de', ['de']])
    // Chosen, though it is what was found.
    await base.setLanguage('de')
    for (const [at, text] of ENGLISH.entries()) base.set(at, htmlPage(`Page ${at}`, text))
    await base.sync()
    expect(await base.language()).toBe('de')
  },
  { tags: ['long'] },
)

verifies(
  'knowledge-bases.language-found',
  'pushed documents and custom answers tell it too, and are found by it at once',
  async () => {
    const base = await openPushedBase(citewell, [{ title: 'Anfang', text: 'Willkommen.' }])
    await json('POST', `/knowledge-bases/${base.id}/custom-answers`, {
      question: 'Wo sind die Häuser?',
      answer: 'Auf dem Plan.',
    })
    const languageNow = async () => (await json<KnowledgeBase>('GET', `/knowledge-bases/${base.id}`)).language
    expect(await languageNow()).toBe(null)
    await base.push(GERMAN.map((text, at) => ({ title: `Seite ${at}`, text })))
    expect(await languageNow()).toBe('de')
    const { languages, has } = await analysedIn(base.id)
    expect([languages, has('hausern'), has('haus')]).toEqual([['de'], 0, 4])
  },
)

verifies(
  'suggested-questions.language',
  'questions about pages follow the language that was found',
  async () => {
    const base = await openPushedBase(citewell, [{ title: 'Barrierefreiheit', text: 'Barrierefreiheit.' }])
    const asked = async () =>
      await json<{ questions: string[] }>('GET', `/knowledge-bases/${base.id}/suggested-questions`)
    await asked()
    await base.push(GERMAN.map((text, at) => ({ title: `Hausordnung ${'ABC'.charAt(at)}`, text })))
    await base.push([
      { title: 'Barrierefreiheit', text: `Barrierefreiheit der Dokumentation. ${GERMAN.join(' ')}` },
    ])
    await citewell.until<{ questions: string[] }>(
      `/api/v1/knowledge-bases/${base.id}/suggested-questions`,
      ({ questions }) => questions.length > 0,
    )
    const { questions } = await asked()
    expect(questions).toContain('Was steht in der Dokumentation über „Barrierefreiheit“?')
    expect(questions.filter((question) => /^(?:How|What)/.test(question))).toEqual([])
  },
)
