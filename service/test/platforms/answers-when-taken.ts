import { expect } from 'vitest'
import type { StandInAnswer } from '../connectors/stand-in-server.ts'
import { fakeLlm, type FakeBehaviour } from '../fake-llm.ts'
import { answersFromPage, QUESTION, ROTATION } from '../webhook-world.ts'
import type { DeskWorld } from './desk-world.ts'

/** A help desk with a stand-in, as far as what it says to an answer of ours is concerned. */
interface RespondingDesk {
  world: DeskWorld
  integrationId: string
  standIn: {
    /** A customer writes: in a new conversation. Returns its id. */
    write(text: string): string
    answersOf(conversation: string): string[]
    /** The next message is taken, and its answer lost. */
    losesAnswer: boolean
  }
  /** The service hears of a conversation. */
  tell(conversation: string): Promise<void>
  /** What the next message of ours gets instead of an answer. */
  misbehaveOnce(answer: StandInAnswer): void
  /** What a message gets that has to wait a second. */
  asksToWait: StandInAnswer
  /** What a message gets that is never taken. */
  refuses: StandInAnswer & { status: number }
}

interface ChangingDesk extends RespondingDesk {
  /** The customer writes again in a conversation. */
  writeMore(conversation: string, text: string): void
  /** A conversation is deleted, or becomes part of another one. */
  remove(conversation: string): void
}

const MORE = 'Also: how long do old signing keys stay valid?'

/** A model that answers when something has happened meanwhile. */
const answersAfter =
  (happens: () => void): FakeBehaviour =>
  async (exchange) => {
    happens()
    await fakeLlm.says(`${ROTATION} [1]`)(exchange)
  }

/** What the help desk says to an answer decides: it waits, is found, or leaves the conversation open. */
export async function answersCountWhenTaken(desk: RespondingDesk): Promise<void> {
  const { world, integrationId: id, standIn, tell } = desk
  const limited = standIn.write(QUESTION)
  desk.misbehaveOnce(desk.asksToWait)
  await tell(limited)
  await world.becomes(id, limited, 'answered')
  expect(standIn.answersOf(limited)).toHaveLength(1)

  const failed = standIn.write(QUESTION)
  desk.misbehaveOnce(desk.refuses)
  await tell(failed)
  await world.settled(id)
  expect(await world.ticket(id, failed)).toEqual({ status: 'open', reason: null, answers_given: 0 })
  expect(await world.problemOf(id)).toContain(`status ${desk.refuses.status}`)

  const lost = standIn.write(QUESTION)
  standIn.losesAnswer = true
  await tell(lost)
  await world.becomes(id, lost, 'answered')
  const never = standIn.write(QUESTION)
  desk.misbehaveOnce({ hangsUp: true, body: undefined })
  await tell(never)
  await world.becomes(id, never, 'unanswered')
  expect([standIn.answersOf(lost).length, standIn.answersOf(never).length]).toEqual([1, 0])
  for (const one of [limited, lost]) expect(await world.toldOf(id, one)).toEqual(['ticket.deflected'])
  for (const one of [failed, never]) expect(await world.toldOf(id, one)).toEqual([])
}

/** The same; and before it is posted, an answer has to fit what became of its conversation meanwhile. */
export async function answersCountWhenTakenInTime(desk: ChangingDesk): Promise<void> {
  const { world, integrationId: id, standIn, tell } = desk
  const both = standIn.write(QUESTION)
  const writesMore = answersAfter(() => desk.writeMore(both, MORE))
  world.llm.script(writesMore, answersFromPage())
  await tell(both)
  await world.becomes(id, both, 'answered')
  expect(standIn.answersOf(both)).toHaveLength(1)
  expect(JSON.stringify(world.llm.requests.at(-1)?.body)).toContain('old signing keys')

  await answersCountWhenTaken(desk)
  // Only now: whatever has happened since, it was told of once.
  expect(await world.toldOf(id, both)).toEqual(['ticket.deflected'])

  const gone = standIn.write(QUESTION)
  world.llm.script(answersAfter(() => desk.remove(gone)))
  await tell(gone)
  await world.settled(id)
  expect(await world.problemOf(id)).toContain('is gone: it was deleted or merged meanwhile')
}
