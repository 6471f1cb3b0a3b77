import { expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { quotesOf } from '../../../test/quotes-of.ts'

const step = (place: number) =>
  `${place}. Turn the key number ${place} of the lock, and wait until it has moved all the way.`
const steps = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => step(from + place)).join('\n')

test('a short procedure is quoted whole, with its numbers, whichever step answers', async () => {
  const page = passage(1, `To open the vault.\n\n${steps(1, 7)}\n\nThen it is open.`)
  const whole = steps(1, 7).replaceAll(/^/gm, '> ')
  expect(await quotesOf([page], ['Turn the key number 1'])).toContain(whole)
  expect(await quotesOf([page], ['Turn the key number 6'])).toContain(whole)
  expect(await quotesOf([page], ['To open'])).toContain(`> To open the vault.\n>\n${whole}`)
})

test('a long one, and a long list, show where they are cut', async () => {
  const page = passage(1, `Open the vault:\n\n${steps(3, 30)}`)
  const quote = await quotesOf([page], ['Turn the key number 8'])
  expect(quote).toMatch(/^> Open the vault:\n>\n> 8\. Turn the key number 8 /)
  expect(quote).toMatch(/all the way\. \[1\]\n> \d+\. …$/)
  const bullets = passage(1, steps(1, 30).replaceAll(/^\d+\./gm, '-'))
  expect(await quotesOf([bullets], ['Turn the key number 8'])).toMatch(
    /^> - Turn the key number 8 [^\n]+\n> - [^]+ \[1\]\n> - …$/,
  )
})

test('steps within a step, and its second paragraph, stand below it', async () => {
  const page =
    '1. Open the vault slowly.\n\n   Nobody may be near.\n   1. Turn the key.\n   2. Pull the door.\n2. Close the vault again.'
  expect(await quotesOf([passage(1, page)], ['Open the vault'])).toBe(
    '> 1. Open the vault slowly.\n>\n>    Nobody may be near.\n>    1. Turn the key.\n>    2. Pull the door.\n> 2. Close the vault again. [1]',
  )
})

test('one step alone keeps its number', async () => {
  const [page] = [passage(1, `${steps(4, 4)}\n${steps(5, 40)}`)]
  expect(await quotesOf([page], ['Turn the key number 40'])).toMatch(/^> 40\. Turn the key number 40 /)
})
