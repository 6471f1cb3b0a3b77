import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestRooms } from '../../../test/test-rooms.ts'

test('a change of a custom answer is stored as a whole or not at all, also if its text stays', async () => {
  await using rooms = await openTestRooms()
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const group = await rooms.sourceGroups.create(owner, base.id, { name: 'Billing', description: null })
  const { signal } = new AbortController()
  const given = {
    question: 'Who sends invoices?',
    answer: 'Write to *billing*.',
    url: null,
    source_group_id: null,
  }
  const made = await rooms.customAnswers.create(owner, base.id, { ...given, visibility: 'public' }, signal)

  await sql`create function refuse_move() returns trigger language plpgsql as $$
    begin
      if new.source_id <> old.source_id then raise exception 'it cannot be moved'; end if;
      return new;
    end $$`.execute(rooms.db)
  await sql`create trigger refuse_move before update on documents for each row execute function refuse_move()`.execute(
    rooms.db,
  )
  const changes = {
    answer: 'Write to _billing_.',
    visibility: 'restricted',
    source_group_id: group.id,
  } as const
  await expect(rooms.customAnswers.change(owner, made.id, changes, signal)).rejects.toThrow(/cannot be moved/)
  const [now] = await rooms.customAnswers.list(owner, base.id, { after: undefined, limit: 10 })
  expect(now).toMatchObject({ answer: 'Write to *billing*.', visibility: 'public', source_group_id: null })
})
