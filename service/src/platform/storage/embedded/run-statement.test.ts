import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStorage, type TestStorage } from '../../../../test/test-storage.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(async () => await storage.close())

const run = async (text: string, values: unknown[] = [1]) => (await storage.execute(text, values)).rows

test('values of all kinds come back as they were given, null and long ones included', async () => {
  const long = 'ä€😀'.repeat(20_000)
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
  const given = [long, ['a,b', 'c"d\\', ''], { deep: [1, null] }, new Date(1_700_000_000_123), true, 2.5]
  const text = `select $1::text as long, $2::text[] as list, $3::jsonb as json, $4::timestamptz as at, $5::boolean as yes,
    $6::float8 as number, $7::bytea as bytes, $8::text as nothing, $9::uuid[] as ids, n from generate_series(1, 3) n`

  for (let round = 0; round < 2; round += 1) {
    const rows = await run(text, [...given, bytes, null, []])

    expect(rows).toHaveLength(3)
    expect(rows.map((row) => row['n'])).toEqual([1, 2, 3])
    const { bytes: returned, ...row } = rows[2] ?? {}
    expect(Buffer.from(returned as Uint8Array)).toEqual(Buffer.from(bytes))
    const [, list, json, at, yes, number] = given
    expect(row).toEqual({ long, list, json, at, yes, number, nothing: null, ids: [], n: 3 })
  }
})

test('a statement that fails says why, ends its transaction, and leaves the next ones alone', async () => {
  await run('create table kept (id integer primary key, word text) -- $1', [])
  await run('insert into kept values ($1, $2)', [1, 'one'])
  const twice = async () => {
    await storage.db.transaction().execute(async (transaction) => {
      const insert = (id: number) =>
        transaction.executeQuery(CompiledQuery.raw('insert into kept values ($1, $2)', [id, 'again']))
      await insert(2)
      await insert(1)
    })
  }

  await expect(twice()).rejects.toMatchObject({ code: '23505', constraint: 'kept_pkey' })
  await expect(run('select $1::integer / 0')).rejects.toMatchObject({ code: '22012' })
  await expect(run('selec $1')).rejects.toMatchObject({ code: '42601' })
  expect(await run('select id from kept where id < $1', [10])).toEqual([{ id: 1 }])
})

test('a column that gets another type is read and written by its new one', async () => {
  await run('create table changing (id integer, value text) -- $1', [])
  const write = async (value: unknown) => await run('insert into changing values (1, $1)', [value])
  const read = async () => await run('select value from changing where id = $1')
  await write('{}')
  expect(await read()).toEqual([{ value: '{}' }])

  await storage.execute('alter table changing alter column value type jsonb using value::jsonb')
  await write({ a: 1 })
  expect(await read()).toEqual([{ value: {} }, { value: { a: 1 } }])

  await storage.execute(`alter table changing alter column value type bytea using '\\x00ff'`)
  const [row] = await read()
  expect(Buffer.from(row?.['value'] as Uint8Array)).toEqual(Buffer.of(0, 255))
})
