import { expect, test } from 'vitest'
import { readMultipart, type ArrivingFile } from './read-multipart.ts'

const LIMITS = { maxBytes: 1_000_000, maxFiles: 3 }

const textOf = async (bytes: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function readAll(request: Request, limits = LIMITS) {
  const files: (Omit<ArrivingFile, 'bytes'> & { text: string })[] = []
  await readMultipart(request, limits, async ({ bytes, ...file }) => {
    files.push({ ...file, text: await textOf(bytes) })
  })
  return files
}

async function formOf(...files: File[]): Promise<Request> {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  form.append('note', 'not a file')
  const whole = new Response(form)
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  return new Request('http://localhost/', { method: 'POST', body: await whole.arrayBuffer(), headers })
}

test('files are passed one at a time with name and type; folders and non-ASCII letters in names are kept', async () => {
  const request = await formOf(
    new File(['# Keys'], 'guide/keys.md', { type: 'text/markdown' }),
    new File(['x'.repeat(200_000)], 'größe 漢字.txt', { type: 'text/plain' }),
  )
  const files = await readAll(request)
  expect(files.map(({ field, name, mediaType, text }) => [field, name, mediaType, text.length])).toEqual([
    ['file', 'guide/keys.md', 'text/markdown', 6],
    ['file', 'größe 漢字.txt', 'text/plain', 200_000],
  ])
})

test('a body over the limit is refused while it is being received', async () => {
  const request = await formOf(
    new File(['x'.repeat(500_000)], 'a.txt'),
    new File(['y'.repeat(600_000)], 'b.txt'),
  )
  await expect(readAll(request)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('a form with more files than allowed is refused', async () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => new File([name], `${name}.txt`))
  await expect(readAll(await formOf(...files))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a form with more fields beside its files than allowed is refused, and an endless one is not read for long', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      const part = Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="f${sent}"\r\n\r\n1\r\n`.repeat(100),
      )
      sent += part.length
      yield part
      await new Promise((wake) => setImmediate(wake))
    }
  }
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: ReadableStream.from(endless()),
    duplex: 'half',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  await expect(readAll(request)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Send at most 100 fields in one request.',
  })
  expect(sent).toBeLessThan(2 * LIMITS.maxBytes)
})

test('a body that is not a form is refused', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  await expect(readAll(request)).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
})

test('a truncated form is refused, also in the middle of a file', async () => {
  const whole = Buffer.from(await (await formOf(new File(['x'.repeat(10_000)], 'a.txt'))).arrayBuffer())
  const boundary = whole.subarray(2, whole.indexOf('\r\n')).toString()
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  for (const length of [30, 120, 5_000, whole.length - 10]) {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: whole.subarray(0, length),
      headers,
    })
    await expect(readAll(request)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  }
})

test('an error while a file is being stored reaches the caller, and the rest is not read', async () => {
  const taken: string[] = []
  const reading = readMultipart(
    await formOf(new File(['a'], 'a.txt'), new File(['b'], 'b.txt')),
    LIMITS,
    ({ name }) => {
      taken.push(name)
      return Promise.reject(new Error('the disk is full'))
    },
  )
  await expect(reading).rejects.toThrow('the disk is full')
  expect(taken[0]).toBe('a.txt')
})
