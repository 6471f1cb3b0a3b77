import { expect, test } from 'vitest'
import {
  openFreshdesk,
  openFront,
  openHelpscout,
  openHubspot,
  openZammad,
} from '../../../../test/platforms/desks-alone.ts'
import { chosenIds, isChosen } from './chosen-parts.ts'
import { settingOf } from './request-tracker/rt-api.ts'

const isNumber = (id: string) => /^[1-9]\d*$/.test(id)

test.each([
  [undefined, { is: 'all' }],
  [null, { is: 'all' }],
  [' ', { is: 'all' }],
  ['43', { is: 'these', ids: ['43'] }],
  [43, { is: 'these', ids: ['43'] }],
  [' 43,44  45, ', { is: 'these', ids: ['43', '44', '45'] }],
  ['Support', { is: 'wrong', given: 'Support' }],
  ['12x', { is: 'wrong', given: '12x' }],
  ['43, 12x', { is: 'wrong', given: '43, 12x' }],
  ['43;44', { is: 'wrong', given: '43;44' }],
  [',', { is: 'wrong', given: ',' }],
  [['43'], { is: 'wrong', given: '["43"]' }],
  [false, { is: 'wrong', given: 'false' }],
])('of %j as ids, these are read: %j', (given, chosen) => {
  expect(chosenIds(given, isNumber)).toMatchObject(chosen)
})

test('the end of a long list of ids counts as its beginning', () => {
  const many = '123, '.repeat(1_000)
  expect(chosenIds(`${many}x`, isNumber).is).toBe('wrong')
  const read = chosenIds(`${many}456`, isNumber)
  expect([isChosen(read, '456'), isChosen(read, '45')]).toEqual([true, false])
})

const DESKS = {
  freshdesk: { open: openFreshdesk, setting: 'groups', right: '42', other: '43', absent: '41' },
  front: { open: openFront, setting: 'inboxes', right: 'inb_help', other: 'inb_people', absent: 'inb_gone' },
  helpscout: { open: openHelpscout, setting: 'inboxes', right: '11', other: '12', absent: '99' },
  hubspot: { open: openHubspot, setting: 'inboxes', right: '11', other: '12', absent: '99' },
}

test.each(Object.entries(DESKS))(
  'a typing error in the choice of %s has nothing answered, instead of everything, and a check says so',
  async (name, { open, setting, right, other, absent }) => {
    await using one = await open()
    const { desk, standIn, account } = one
    const id = standIn.write('How?', name === 'freshdesk' ? { group: 42 } : {})
    const isOurs = async (given: unknown) =>
      (await desk.ticket(id, account({ [setting]: given })))?.isOurs ?? 'gone'
    for (const given of [undefined, '', right, `${other}, ${right}`]) expect(await isOurs(given)).toBe(true)
    for (const given of [other, 'Support', `${right}x!`, `${right}, Support`, ',', [right], {}])
      expect(await isOurs(given)).toBe(false)

    const problemsOf = async (given: unknown) => (await desk.check(account({ [setting]: given }))).problems
    expect(await problemsOf(`${right}, ${other}`)).toEqual([])
    for (const given of ['Support', `${right}, Support`, ',', { a: 1 }])
      expect(await problemsOf(given)).toEqual([
        expect.stringContaining(`The setting ${setting} has something that is no id`),
      ])
    expect(await problemsOf(absent)).toEqual([expect.stringContaining(absent)])
  },
)

test.each(Object.entries(DESKS).filter(([name]) => name !== 'front'))(
  'with a typing error in the choice of %s, no ticket is read for nothing',
  async (name, { open, setting, right }) => {
    await using one = await open()
    const { desk, standIn, account } = one
    standIn.write('Before?')
    const begun = await desk.changes?.(undefined, account({ [setting]: right }))
    const id = standIn.write('How?', name === 'freshdesk' ? { group: 42 } : {})
    const changed = async (given: string) =>
      (await desk.changes?.(begun?.cursor, account({ [setting]: given })))?.ticketIds
    expect(await changed('Support')).toEqual([])
    expect(await changed(right)).toEqual([id])
  },
)

test('a choice of groups of Zammad that has no name, or is no text, has nothing answered', async () => {
  await using one = await openZammad()
  const { desk, standIn, account } = one
  const id = standIn.write('How?')
  const isOurs = async (groups: unknown) => (await desk.ticket(id, account({ groups })))?.isOurs
  for (const groups of [undefined, ' ', 'users', 'Sales, USERS,']) expect(await isOurs(groups)).toBe(true)
  for (const groups of ['Sales', ',', ['Users'], 7]) expect(await isOurs(groups)).toBe(false)
  const { problems } = await desk.check(account({ groups: ' , ' }))
  expect(problems).toEqual([expect.stringContaining('groups has no name of a group')])
})

test('a queue of Request Tracker that is no text counts as one that nobody knows, and not as none', () => {
  expect(settingOf({ queue: ' General ' }, 'queue')).toBe('General')
  for (const queue of [undefined, null, ' ']) expect(settingOf({ queue }, 'queue')).toBeUndefined()
  expect(settingOf({ queue: ['General'] }, 'queue')).toBe('["General"]')
  expect(settingOf({ queue: 3 }, 'queue')).toBe('3')
})
