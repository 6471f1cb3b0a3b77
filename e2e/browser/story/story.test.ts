import { verifies } from '@citewell/spec/verifies'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { askAllBases, deleteConversation, leaveConversation } from './assistant-steps.ts'
import {
  answerFromSample,
  answerFromSite,
  cancelReading,
  findDocuments,
  loseTheConnection,
  openDashboardByLink,
  openInOtherBrowser,
  typeWhatIsNoSite,
  typeWhatIsNotThere,
} from './first-answer-steps.ts'
import { answerGap, findGap, replayGap, resolveGap } from './gap-steps.ts'
import {
  archive,
  deleteBase,
  expectMemberToBeAnswered,
  expectNotAsked,
  expectReadOnly,
  makeInternal,
  restore,
} from './life-of-base-steps.ts'
import {
  allowToChat,
  askAndRate,
  closeToMembers,
  expectNoSettings,
  historyOf,
  invite,
} from './member-steps.ts'
import { KEYS, ROTATED, TERRAFORM, TERRAFORM_AGAIN } from './story-site.ts'
import { openStoryWorld, type StoryWorld } from './story-world.ts'
import { askInWidget, expectRefusal, putOnSite, visit, visitAgain } from './widget-steps.ts'

/** Milliseconds from the open dashboard to the first cited answer. They are a promise of the product, and far from what a busy machine takes. */
const FIRST_ANSWER_MS = { sample: 60_000, ownSite: 180_000 }

let world: StoryWorld
/** A reader on a page of the site. */
let visitor: Page
/** A member who may chat in the base of the site, and no more. */
let grace: Page
/** Of the page that shows the widget. */
let host: string

let isOver = false

beforeAll(async () => {
  world = await openStoryWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})
beforeEach(({ skip }) => {
  // Each chapter begins where the one before it ended.
  skip(isOver)
  onTestFailed(async () => {
    isOver = true
    console.info(`It failed at ${world.page.url()}:\n${await world.page.locator('body').ariaSnapshot()}`)
  })
})

test('the link of the first start opens the dashboard signed in, for one browser', async () => {
  await openDashboardByLink(world)
  expect(new URL(world.page.url()).pathname).toBe('/start')
  expect(await openInOtherBrowser(world)).toEqual({ status: 404, place: '/sign-in' })
})

test('the sample gives a first cited answer within a minute, without a key', async () => {
  expect(await answerFromSample(world)).toBeLessThan(FIRST_ANSWER_MS.sample)
  await cancelReading(world, 'Citewell')
})

test('what is no site, what is not there and a lost connection are told, and what was typed stays', async () => {
  await typeWhatIsNoSite(world)
  await typeWhatIsNotThere(world)
  await loseTheConnection(world)
  expect(world.faults).toEqual([])
})

test('an own site is previewed page by page, changed by a press, and answers while it is read, within three minutes', async () => {
  expect(await answerFromSite(world)).toBeLessThan(FIRST_ANSWER_MS.ownSite)
})

test('the widget on a page of another origin is seen, and answers there', async () => {
  host = await putOnSite(world)
  await findDocuments(world)
  expect(world.faults).toEqual([])
})

test('the assistant asks all bases, marks the cited words beside the answer, and keeps its own history', async () => {
  expect(await askAllBases(world)).toContain(ROTATED)
  await leaveConversation(world)
  await deleteConversation(world)
})

test('what readers asked in vain is a gap, which is answered, replayed and resolved; then the widget answers it', async () => {
  for (const question of [TERRAFORM, TERRAFORM_AGAIN]) {
    visitor = await visit(world, host)
    await askInWidget(visitor, question)
  }
  await findGap(world)
  await answerGap(world)
  await replayGap(world)
  await resolveGap(world)
  await visitAgain(visitor)
  expect(await askInWidget(visitor, TERRAFORM)).toContain('acme/billing')
})

test('a member with Chat alone asks, rates and sees their own questions, and no settings', async () => {
  await closeToMembers(world)
  grace = await invite(world)
  await allowToChat(world)
  await askAndRate(world, grace)
  expect(await historyOf(grace)).toEqual([KEYS])
  await expectNoSettings(world, grace)
})

verifies(
  ['connectors.confirm-a-switch', 'connectors.archived-in-the-dashboard', 'knowledge-bases.type-confirmed'],
  'a base is archived, leaves the assistant, is read only, is restored, becomes internal, and is deleted after its exact name was typed',
  async () => {
    await archive(world)
    await expectReadOnly(world)
    await expectNotAsked(world, grace)
    await restore(world)
    await visitAgain(visitor)
    expect(await askInWidget(visitor, KEYS)).toContain(ROTATED)

    await makeInternal(world)
    await expectRefusal(visitor)
    await expectMemberToBeAnswered(world, grace)
    await deleteBase(world)
  },
)

test('a password is set from the account page, and no screen had a fault', async () => {
  const { page, open, complaints } = world
  await open('/account')
  await page.getByLabel('Your e-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Zk9-vTq4-mLp2-wRx7')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password is set').waitFor()
  expect(await page.getByText('ada@example.com').count()).toBeGreaterThan(0)
  expect(world.faults).toEqual([])
  expect(complaints).toEqual([])
})
