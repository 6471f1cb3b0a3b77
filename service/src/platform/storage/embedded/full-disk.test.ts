import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mountSmallDisk, NO_SMALL_DISK } from '../../../../test/small-disk.ts'
import { embeddedTemplate } from '../../../../test/test-storage.ts'
import { startEngine } from './engine-thread.ts'
import { startPglite, type PgliteClient } from './pglite-client.ts'

const MB = 1_048_576

/** A log of so many segments, 16 MB each, is shortened. */
const MOST_SEGMENTS = 6

async function run(client: PgliteClient, text: string) {
  const session = await client.acquire()
  try {
    return (await session.query(text, [])).rows
  } finally {
    session.release()
  }
}

/** Retries while it is refused, for at most a minute. */
async function retryUntilSuccess<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + 60_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((wake) => {
        setTimeout(wake, 100)
      })
    }
  }
}

test('an engine that ends on a full disk refuses waiting calls, restarts automatically, and loses no data', async (context) => {
  using disk = mountSmallDisk(200) ?? context.skip(NO_SMALL_DISK)
  const reported: string[] = []
  const client = startPglite(
    { directory: join(disk.directory, 'database'), template: embeddedTemplate(), isDurable: true },
    (_fault, what) => reported.push(what),
  )
  await run(client, 'create table kept (id serial, words text)')
  const add = () => run(client, `insert into kept (words) values (repeat('word ', 100)) returning id`)
  const acknowledged = [await add()]

  disk.fill()
  // This ends it reliably: PostgreSQL answers a checkpoint that cannot be written with a PANIC.
  const waiting = [run(client, 'checkpoint'), ...Array.from({ length: 20 }, () => add())]
  const outcomes = await Promise.allSettled(waiting)

  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refusals.length).toBeGreaterThan(0)
  for (const { reason } of refusals)
    expect(reason).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') acknowledged.push(outcome.value)
  expect(reported).toContain('the embedded storage ended and is being reopened')
  // The result of the first insert is its row; the checkpoint returned none.
  const ids = acknowledged.flatMap((rows) => rows.map((row) => Number(row['id'])))

  const rowsThere = async () => (await run(client, 'select id from kept order by id')).map((row) => row['id'])
  expect(await retryUntilSuccess(rowsThere)).toEqual(expect.arrayContaining(ids))

  disk.free()
  await retryUntilSuccess(add)
  expect(await rowsThere()).toEqual(expect.arrayContaining(ids))
  const before = Date.now()
  await client.close()
  expect(Date.now() - before).toBeLessThan(10_000)
  await expect(add()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
}, 120_000)

test('the engine becomes read-only before the disk is full, and writable again when there is room', async (context) => {
  using disk = mountSmallDisk(250) ?? context.skip(NO_SMALL_DISK)
  const client = startPglite({
    directory: join(disk.directory, 'database'),
    template: embeddedTemplate(),
    isDurable: true,
  })
  await run(client, 'create table kept (id serial)')
  const add = () => run(client, 'insert into kept default values returning id')
  await expect.poll(() => disk.freeBytes(), { timeout: 30_000 }).toBeLessThan(175 * MB)

  disk.fill(8 * MB)
  // The reserve for changes is released first: deletions still work.
  await expect.poll(() => disk.freeBytes(), { timeout: 30_000 }).toBeGreaterThan(16 * MB)
  await add()
  disk.fill(8 * MB)
  await expect.poll(() => client.isReadOnly(), { timeout: 30_000 }).toBe(true)
  await expect(add()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: /disk of the service is full/ })
  expect(await run(client, 'select id from kept')).toHaveLength(1)

  disk.free()
  await expect.poll(() => client.isReadOnly(), { timeout: 30_000 }).toBe(false)
  await add()
  expect(client.state()).toEqual({ is: 'open' })
  await client.close()
}, 120_000)

test('a statement that does not finish is terminated together with its engine', async () => {
  const engine = startEngine({ directory: undefined, template: embeddedTemplate(), isDurable: false })
  await engine.opened

  const endless = engine.send(
    { kind: 'query', text: 'select count(*) from generate_series(1, 1e15)', values: [] },
    500,
  )
  const behind = engine.send({ kind: 'query', text: 'select 1', values: [] }, undefined)

  await expect(endless).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'tooLong' })
  await expect(behind).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await engine.ended
  await expect(engine.send({ kind: 'exec', text: 'select 1' }, undefined)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
}, 60_000)

test(
  'the write-ahead log of the engine does not grow without limit',
  { timeout: 180_000, tags: ['long'] },
  async (context) => {
    using disk = mountSmallDisk(400) ?? context.skip(NO_SMALL_DISK)
    const client = startPglite({
      directory: join(disk.directory, 'database'),
      template: embeddedTemplate(),
      isDurable: true,
    })
    await run(client, 'create table churned (words text)')
    const segments = async () =>
      (await readdir(join(disk.directory, 'database/pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
        .length
    const churn = async () => {
      await run(client, `insert into churned select repeat(md5(n::text), 60) from generate_series(1, 5000) n`)
      await run(client, 'truncate churned')
    }
    for (let time = 0; time < 2; time += 1) {
      let count = 0
      for (let round = 0; round < 20 && count < MOST_SEGMENTS; round += 1) {
        await churn()
        count = await segments()
      }
      expect(count).toBeGreaterThanOrEqual(MOST_SEGMENTS)
      await expect.poll(segments, { timeout: 30_000 }).toBeLessThan(MOST_SEGMENTS)
    }
    expect(client.state()).toEqual({ is: 'open' })
    await client.close()
  },
)
