import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { StorageUnavailable } from '../storage/storage-unavailable.ts'
import { createLog } from './log.ts'

test('unavailable storage is logged once a minute per message, other errors every time', () => {
  const lines: string[] = []
  const log = createLog(
    'info',
    new Writable({
      write: (line: Buffer, _encoding, done) => {
        lines.push((JSON.parse(line.toString()) as { msg: string }).msg)
        done()
      },
    }),
  )

  for (let time = 0; time < 3; time += 1) {
    log.error({ err: new StorageUnavailable('full') }, 'storing an answer failed')
    log.error(
      { err: Object.assign(new Error('(Queue: a)'), { name: 'StorageUnavailable' }) },
      'the job queue reports a fault',
    )
    log.error({ err: new Error('another') }, 'storing an answer failed')
  }

  expect(lines).toEqual([
    'storing an answer failed',
    'the job queue reports a fault',
    'storing an answer failed',
    'storing an answer failed',
    'storing an answer failed',
  ])
})
