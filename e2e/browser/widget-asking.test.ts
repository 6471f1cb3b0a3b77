import { verifies } from '@citewell/spec/verifies'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChromium } from '../open-chromium.ts'
import { keepPage } from './kept-page.ts'
import { ask, listenToPage, openPanel } from './open-browser.ts'
import {
  answerFrames,
  CITATION,
  playChat,
  playRefusal,
  startWidgetWorld,
  type WidgetWorld,
} from './widget-world.ts'

let world: WidgetWorld
let browser: Browser
let cleanPage: () => Promise<Page>
let page: Page
let said: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  cleanPage = keepPage(browser)
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})
beforeEach(async () => {
  page = await cleanPage()
  said = listenToPage(page)
  world.service.seen.length = 0
})
afterEach(async () => {
  world.service.play(undefined)
})

const tag = () => ({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key })
const asked = (path: RegExp, method = 'POST') =>
  world.service.seen.filter((seen) => seen.method === method && path.test(seen.path))
const bodyOf = (seen: { body: string } | undefined) =>
  JSON.parse(seen?.body ?? '{}') as Record<string, unknown>
const turn = () => page.locator('.turn').last()

test('a question is answered with its citations, rated, commented, and the rating is withdrawn', async () => {
  await openPanel(page, world.page(tag()))
  await page.getByRole('button', { name: 'When are keys rotated?' }).click()
  await turn().locator('.actions').waitFor()
  expect(await turn().locator('.answer').innerText()).toContain(
    'Keys are rotated every day at midnight, UTC.',
  )
  const chip = turn().locator('.chip').first()
  expect(await chip.getAttribute('href')).toContain('https://docs.example.com/keys')
  await chip.hover()
  expect(await page.locator('.card').innerText()).toContain('Keys are rotated every day at midnight')
  await page.getByRole('button', { name: 'Bad answer' }).click()
  await page.locator('.comment textarea').fill('Which time zone?')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await page.getByText('Thank you for your comment.').first().waitFor()
  const ratings = async () => {
    const { data } = await world.citewell.json<{ data: { ratings: object }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${world.base.id}/conversations`,
    )
    return data.map((conversation) => conversation.ratings)
  }
  await expect.poll(ratings).toEqual([{ up: 0, down: 1 }])
  expect(
    asked(/\/feedback$/)
      .map(bodyOf)
      .at(-1),
  ).toMatchObject({ rating: 'down', comment: 'Which time zone?' })
  await page.getByRole('button', { name: 'Bad answer' }).click()
  await expect.poll(ratings).toEqual([{ up: 0, down: 0 }])
  expect(said).toEqual([])
})

test('a rating or a comment that cannot be stored is said, undone and may be sent again; what was written stays', async () => {
  await openPanel(page, world.page({ ...tag(), 'product-name': 'Ratings' }))
  await ask(page, 'When are keys rotated?')
  world.service.play((request, response) => {
    if (request.url?.endsWith('/feedback') !== true) return false
    response.writeHead(503, { 'access-control-allow-origin': '*' }).end()
    return true
  })
  const good = turn().getByRole('button', { name: 'Good answer' })
  const unsent = turn().getByText('This could not be sent. Please try again.')
  await good.click()
  await turn().locator('.comment textarea').fill('Very clear')
  await unsent.waitFor()
  expect(await good.getAttribute('aria-pressed')).toBe('false')
  // What is announced waits for what was announced just before.
  await expect
    .poll(() => page.getByRole('status').allInnerTexts())
    .toContain('This could not be sent. Please try again.')
  world.service.play(undefined)
  await good.click()
  await page.getByRole('tab', { name: 'Search' }).click()
  await page.getByRole('tab', { name: 'Ask' }).click()
  expect(await turn().locator('.comment textarea').inputValue()).toBe('Very clear')
  await expect.poll(() => unsent.count()).toBe(0)
  await turn().getByRole('button', { name: 'Send comment' }).click()
  await page.getByText('Thank you for your comment.').first().waitFor()
  await expect
    .poll(() =>
      asked(/\/feedback$/)
        .map(bodyOf)
        .at(-1),
    )
    .toMatchObject({ rating: 'up', comment: 'Very clear' })
})

test('what is asked while an answer is written waits in the field', async () => {
  world.service.play(playChat(answerFrames('Word. '.repeat(300), {}, 30)))
  await openPanel(page, world.page(tag()))
  await page.locator('.composer textarea').fill('First?')
  await page.keyboard.press('Enter')
  await turn().locator('.answer').waitFor()
  await page.evaluate("Citewell.ask('Second?')")
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Second?')
  await page.getByRole('tab', { name: 'Search' }).click()
  await page.locator('.search-field input').fill('Third?')
  await page.locator('.ask-row').click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Third?')
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect.poll(() => page.locator('.turn').count()).toBe(0)
  world.service.play(playChat(answerFrames('Daily [1].')))
  await page.locator('.composer textarea').press('Enter')
  await turn().locator('.actions').waitFor()
  expect(await page.locator('.question').allInnerTexts()).toEqual(['Third?'])
  // What was given up does not come back, neither to the page nor to what is remembered.
  expect(
    await page.evaluate(`Object.values(sessionStorage).map((kept) => JSON.parse(kept))
      .flatMap(({ conversation }) => conversation?.turns ?? []).map(({ question }) => question)`),
  ).toEqual(['Third?'])
})

verifies(
  [
    'widgets.script.search-without-widget-id',
    'widgets.script.widget-id',
    'connectors.widget-loads-its-settings',
  ],
  'questions carry widget_id and thread_id; searching while typing carries neither, with one request for each pause',
  async () => {
    const { data } = await world.citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${world.base.id}/widgets`,
    )
    const widget = data[0]?.id ?? ''
    await openPanel(page, world.page({ 'widget-id': widget, 'client-key': world.base.client_key.key }))
    expect(asked(/widget-integrations\/[^/]+\/config$/, 'GET')).toHaveLength(1)
    expect(asked(/\/widget-config$/, 'GET')).toEqual([])
    await ask(page, 'When are keys rotated?')
    await ask(page, 'And by hand?')
    const [first, second] = asked(/\/chat$/).map(bodyOf)
    expect(first).toMatchObject({ query: 'When are keys rotated?', widget_id: widget })
    expect(second).toMatchObject({ widget_id: widget, thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    await page.getByRole('tab', { name: 'Search' }).click()
    await page.locator('.search-field input').pressSequentially('rotate', { delay: 10 })
    await page.locator('.result[role=option]').nth(1).waitFor()
    const searches = asked(/\/search$/).map(bodyOf)
    expect(searches.length).toBeLessThanOrEqual(6)
    expect(searches.at(-1)).toMatchObject({ query: 'rotate' })
    for (const search of searches) expect(Object.keys(search).toSorted()).toEqual(['limit', 'query'])
  },
)

verifies(
  ['widgets.script.source-group-ids', 'connectors.script-tag'],
  'a tag with the six attributes of the contract and no other: each does its work, and groups are sent with questions',
  async () => {
    const { data } = await world.citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${world.base.id}/widgets`,
    )
    const widget = data[0]?.id ?? ''
    await page.route('**/config', async (route) => {
      const answer = await route.fetch()
      const more = { hide_branding_allowed: true, mcp_available: true, mcp_url: 'https://a.example.com/mcp' }
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...more } })
    })
    world.service.play(playChat(answerFrames('Daily [1].')))
    await openPanel(
      page,
      world.page({
        'knowledge-base-id': world.base.id,
        'widget-id': widget,
        'product-name': 'Ada',
        'hide-branding': 'true',
        'mcp-enabled': 'false',
        'source-group-ids': 'group-a, group-b',
      }),
    )
    const panel = page.getByRole('dialog')
    expect(await panel.getByRole('heading', { level: 2 }).innerText()).toBe('Ada')
    expect(await panel.getByText(/Powered by|Use MCP/).count()).toBe(0)
    await ask(page, 'When?')
    expect(bodyOf(asked(/\/chat$/)[0])).toMatchObject({
      widget_id: widget,
      group_ids: ['group-a', 'group-b'],
    })
  },
)

test('Stop ends the answer at the service within moments, and keeps what was written', async () => {
  let isClosed = false
  world.service.play((request, response) => {
    response.on('close', () => (isClosed = true))
    return playChat(answerFrames('Keys are rotated every day. '.repeat(200), {}, 30))(request, response)
  })
  await openPanel(page, world.page(tag()))
  await page.locator('.composer textarea').fill('When?')
  await page.keyboard.press('Enter')
  await turn().locator('.answer').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('You stopped this answer.').first().waitFor()
  expect(await turn().locator('.answer').innerText()).toContain('Keys are rotated')
  await expect.poll(() => isClosed).toBe(true)
})

test('what the documentation does not cover is said first, with the nearest passages, and is no error', async () => {
  const address = world.page({
    ...tag(),
    'support-email': 'help@example.com',
    'support-url': 'https://help.example.com/',
  })
  world.service.play(
    playChat([
      { citations: [CITATION], done: false },
      { delta: 'The documentation does not cover this question.', done: false },
      {
        done: true,
        citations: [],
        covered: false,
        confidence: 0.1,
        message_id: 'c1a6e1de-7f7b-4f0e-8b0a-92b6f6a6f5b3',
      },
    ]),
  )
  await openPanel(page, address)
  await ask(page, 'How do I bake a cake?')
  expect(await turn().locator('.uncovered').innerText()).toContain(
    'The documentation does not cover this question.',
  )
  expect(await turn().locator('.passages blockquote').innerText()).toBe(CITATION.excerpt)
  expect(await turn().locator('.failure').count()).toBe(0)
  expect(await turn().getByRole('link', { name: 'Talk to a person' }).getAttribute('href')).toBe(
    'https://help.example.com/',
  )
  expect(await turn().getByRole('link', { name: 'Write an e-mail' }).getAttribute('href')).toContain(
    'mailto:help@example.com?subject=How%20do%20I%20bake',
  )
  await page.getByRole('button', { name: 'Ask in other words' }).click()
  expect(await page.locator('.composer textarea').inputValue()).toBe('How do I bake a cake?')
})

const ERROR = { error: 'Server sentence.', retryable: true, request_id: 'request-1' }

test('each kind of error in the stream has its own words, and keeps what was written', async () => {
  await openPanel(page, world.page(tag()))
  for (const [kind, sentence, isRetried] of [
    ['timeout', 'The answer took too long.', true],
    ['unavailable', 'The assistant cannot be reached.', true],
    ['internal', 'Something went wrong on our side.', true],
    ['truncated', 'This answer was cut short.', true],
    ['content_filtered', 'Please ask in other words.', false],
    ['quota_exceeded', 'No more questions can be answered this month.', false],
    ['misconfigured', 'This assistant is not set up correctly.', false],
  ] as const) {
    const error = { ...ERROR, retryable: isRetried, error_code: kind, code: kind.toUpperCase() }
    world.service.play(
      playChat([
        { citations: [CITATION], done: false },
        { delta: `Half an answer: ${kind}.`, done: false },
        error,
      ]),
    )
    await ask(page, 'When?')
    expect(await turn().locator('.failure').innerText()).toContain(sentence)
    expect(await turn().locator('.answer').innerText()).toContain(`Half an answer: ${kind}.`)
    const again = turn().getByRole('button', { name: 'Try again' })
    expect([kind, await again.count()]).toEqual([kind, isRetried ? 1 : 0])
    await turn().getByText('Details').click()
    expect(await turn().locator('.technical').innerText()).toContain('request-1')
  }
})

test('an answer that the service ended is no failure: it says that it was stopped, and can be asked again', async () => {
  const ended = { ...ERROR, retryable: false, error_code: 'cancelled', code: 'CANCELLED' }
  world.service.play(playChat([{ delta: 'Half an answer.', done: false }, ended]))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  expect(await turn().locator('.stopped').innerText()).toContain('Ask again')
  expect(await turn().locator('.failure').count()).toBe(0)
})

test('a request that is refused for what the owner has to change says so without details, and tells the owner in the console', async () => {
  await openPanel(page, world.page(tag()))
  for (const [status, code] of [
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [403, 'GROUP_NOT_ALLOWED'],
    [403, 'WIDGET_DISABLED'],
    [403, 'ORIGIN_NOT_ALLOWED'],
    [403, 'KNOWLEDGE_BASE_INTERNAL'],
    [403, 'KNOWLEDGE_BASE_ARCHIVED'],
    [404, 'NOT_FOUND'],
  ] as const) {
    world.service.play(playRefusal(status, { error: 'For the owner.', code }))
    await ask(page, 'When?')
    expect([code, await turn().locator('.failure p').first().innerText()]).toEqual([
      code,
      'This question cannot be answered here.',
    ])
    expect(await turn().getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(said.at(-1)).toContain(`${code}: For the owner. (request request-1)`)
  }
})

test('a stream that is cut is an error that keeps the text, and trying again replaces it', async () => {
  world.service.play(
    playChat(
      [
        { citations: [CITATION], done: false },
        { delta: 'Half', done: false },
        // What a browser has not read when a connection breaks is lost to it.
        200,
      ],
      true,
    ),
  )
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  expect(await turn().locator('.answer').innerText()).toContain('Half')
  world.service.play(playChat(answerFrames('Every day [1].')))
  await page.getByRole('button', { name: 'Try again' }).click()
  await turn().locator('.actions').waitFor()
  expect(await page.locator('.turn').count()).toBe(1)
  expect(await turn().locator('.answer').innerText()).toContain('Every day')
})

test(
  'too many questions: the wait is counted down, and only then one may try again',
  { tags: ['long'] },
  async () => {
    world.service.play(
      playRefusal(
        429,
        { error: 'Too many requests.', code: 'RATE_LIMITED', retryable: true },
        { 'retry-after': '10' },
      ),
    )
    await openPanel(page, world.page(tag()))
    await ask(page, 'When?')
    expect(await turn().locator('.failure').innerText()).toMatch(
      /Too many questions at once\. Try again in \d+ seconds\./,
    )
    expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true)
    await expect
      .poll(async () => await page.getByRole('button', { name: 'Try again' }).isDisabled(), {
        timeout: 20_000,
      })
      .toBe(false)
  },
)

test('an unknown code speaks in the words of the service, as text', async () => {
  world.service.play(playRefusal(418, { error: 'A <b>new</b> reason.', code: 'NEW_CODE' }))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  expect(await turn().locator('.failure p').first().innerText()).toBe('A <b>new</b> reason.')
})

test('a reload brings the conversation back, a new conversation forgets it, and nothing is kept before the first question', async () => {
  await openPanel(page, world.page(tag()))
  expect(await page.evaluate('sessionStorage.length + localStorage.length + document.cookie.length')).toBe(0)
  await ask(page, 'When are keys rotated?')
  await page.reload()
  await page.locator('button[part=launcher]').click()
  await page.locator('.turn .actions').waitFor()
  expect(await page.locator('.question').innerText()).toBe('When are keys rotated?')
  await ask(page, 'And by hand?')
  expect(bodyOf(asked(/\/chat$/)[1])).toHaveProperty('thread_id')
  await page.getByRole('button', { name: 'New conversation' }).click()
  expect(await page.locator('.turn').count()).toBe(0)
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

test('without a message id there is nothing to rate', async () => {
  world.service.play(playChat(answerFrames('Daily [1].', { message_id: undefined, thread_id: undefined })))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  expect(await page.getByRole('button', { name: 'Good answer' }).count()).toBe(0)
  await ask(page, 'And then?')
  expect(bodyOf(asked(/\/chat$/)[1])).not.toHaveProperty('thread_id')
})

test('the last frame replaces the streamed text', async () => {
  world.service.play(playChat(answerFrames('Old [3].', { answer: 'New [1].' })))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  expect(await turn().locator('.answer').innerText()).toBe('New 1.')
})

test('offline one may type; it is sent when the reader presses after coming back', async () => {
  await openPanel(page, world.page(tag()))
  await page.context().setOffline(true)
  await page.getByText('You are offline.').first().waitFor()
  await page.locator('.composer textarea').fill('When are keys rotated?')
  await page.keyboard.press('Enter')
  expect(await page.locator('.turn').count()).toBe(0)
  await page.context().setOffline(false)
  await page.getByText('You are offline.').first().waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await turn().locator('.actions').waitFor()
})

test('a copied answer is Markdown whose numbers are links', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  world.service.play(playChat(answerFrames('Daily [1].\n\n```sh\nacme\n```')))
  await openPanel(page, world.page(tag()))
  await ask(page, 'When?')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'Daily [1].\n\n```sh\nacme\n```\n\n[1]: <https://docs.example.com/keys#rotation> "Rotating keys"\n',
  )
  await page.getByRole('button', { name: 'Copy code' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('acme')
})
