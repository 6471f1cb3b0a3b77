import { expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../../test/connectors/connector-world.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { S3_KEY, startS3 } from '../../../../test/connectors/s3-server.ts'
import { startStandIn, unknownFields } from '../../../../test/connectors/stand-in-server.ts'
import { readObjectList } from './object-list.ts'
import { signRequest } from './sign-request.ts'

const openWorld = shareConnectorWorlds()

test('a folder that was misspelt is named, and empties no source', TIMEOUT, async () => {
  await using storage = await startS3()
  const world = await openWorld(storage.model)
  await storage.model.add(createRandom(3))
  await world.sync()
  const url = String(storage.model.config['url']).replace('/guide/', '/gide/')
  await world.ask('PATCH', `/sources/${world.sourceId}`, { config: { url } })
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no object whose name begins with gide\/.*Check the address/),
  })
  expect((await world.indexed()).size).toBe(1)
})

test(
  'what is no document is left out with a reason, and what cannot be read fails alone',
  TIMEOUT,
  async () => {
    await using storage = await startS3()
    const world = await openWorld(storage.model)
    await storage.model.add(createRandom(1))
    await storage.put('elsewhere/page.md', '# Elsewhere')
    await storage.put('guide/logo.png', 'png')
    await storage.put('guide/old/a.md', '# Old')
    await storage.put('guide/broken.pdf', 'no PDF')
    const config = {
      ...storage.model.config,
      exclude: ['old/**'],
      site_url: 'https://docs.acme.example/help/',
    }
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config })
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      counts: { added: 1, failed: 1 },
      errors: [{ url: 'https://docs.acme.example/help/broken.pdf' }],
    })
    const [[key, row] = []] = await world.indexed()
    expect(key).toMatch(/^guide\//)
    expect(row?.url).toBe(
      `https://docs.acme.example/help/${encodeURI(key?.slice('guide/'.length) ?? '').replaceAll(/[+&()]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    )
    expect(row?.text).toContain('| Free | 10 |')

    const preview = async (given: object) =>
      await world.ask('POST', `/knowledge-bases/${world.baseId}/sources/preview`, {
        type: 's3',
        config,
        credentials: S3_KEY,
        ...given,
      })
    expect(await preview({})).toMatchObject({
      access: {
        account: 'the access key S3RVER',
        sees: ['4 objects in acme-docs/guide/, 2 of them documents'],
      },
      left_out: expect.arrayContaining([
        expect.objectContaining({ reason: 'not a document' }),
        expect.objectContaining({ reason: 'excluded by a pattern' }),
      ]),
    })
    // What a key opens is for members, until the owner says otherwise; what is read without one is not.
    const closed = { ...config, publish_all: false }
    expect(await preview({ config: closed })).toMatchObject({
      access: { missing: [expect.stringContaining('set publish_all')] },
    })
    expect(await preview({ config: closed, credentials: undefined })).toMatchObject({
      access: { account: 'not signed in', missing: [] },
    })
    await world.ask('PATCH', `/sources/${world.sourceId}`, { config: closed })
    await world.sync()
    expect([...(await world.indexed()).values()].map(({ visibility }) => visibility)).toEqual(['restricted'])
    expect(await preview({ credentials: { ...S3_KEY, password: 'CANARY' } })).toMatchObject({
      access: null,
      error: expect.stringMatching(/does not let this account read .*signature.*Make an access key/i),
    })
    expect(
      await preview({ config: { ...config, url: `${storage.server.origin}/no-such-bucket` } }),
    ).toMatchObject({
      error: expect.stringContaining('The specified bucket does not exist'),
    })
  },
)

test('a long list is read to its end, and one that is cut off is not taken for whole', TIMEOUT, async () => {
  const keys = Array.from({ length: 12 }, (_, at) => `guide/page-${String(at).padStart(2, '0')}.md`)
  const token = (at: number) => `+/=${at}`
  // `s3rver` makes its tokens by a cipher that Node no longer has, so these lists are a stand-in's.
  await using storage = await startStandIn(({ path, query }) => {
    if (path !== '/acme') return { body: `# About ${path}` }
    if (unknownFields(query, ['list-type', 'encoding-type', 'prefix', 'continuation-token']).length > 0)
      return { status: 400, body: '<Error><Message>Invalid Argument</Message></Error>' }
    const start = keys.findIndex((_, at) => token(at) === (query.get('continuation-token') ?? token(0)))
    const page = keys.slice(start, start + 5)
    const isCut = start + 5 < keys.length
    const entries = page.map((key) => `<Contents><Key>${key}</Key><ETag>e</ETag><Size>9</Size></Contents>`)
    const next = isCut ? `<NextContinuationToken>${token(start + 5)}</NextContinuationToken>` : ''
    return {
      body: `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
    }
  })
  const world = await openWorld({
    type: 's3',
    config: { url: `${storage.origin}/acme` },
    credentials: undefined,
    server: storage,
    documents: () => new Map(keys.map((key) => [key, { text: `About /acme/${key}`, isRestricted: false }])),
    add: () => undefined,
    change: () => '',
    hideMost: () => () => undefined,
  })
  expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { added: 12 } })
  expect(await world.differences()).toEqual([])
  storage.forget()
  expect(await world.sync()).toMatchObject({ counts: { unchanged: 12 } })
  expect(storage.requests).toHaveLength(3)
  const cutOff = { body: '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>' }
  storage.misbehave(cutOff)
  expect(await world.sync()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('cut off a list'),
    counts: { removed: 0 },
  })
})

test('requests are signed as the examples of Amazon are', () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "GET Bucket (List Objects)"
  const url = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J')
  const key = {
    id: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  expect(signRequest(url, key, Date.UTC(2013, 4, 24))['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})

test('a list is read with escaped names and with entities, and an answer that is none is not taken for an empty one', () => {
  const list = (inner: string) =>
    `<?xml version="1.0"?><ListBucketResult xmlns="x">${inner}</ListBucketResult>`
  const entry = (key: string) =>
    `<Contents><Key>${key}</Key><ETag>&quot;e&quot;</ETag><Size>7</Size></Contents>`
  expect(readObjectList(list(`<IsTruncated>false</IsTruncated>${entry('a &amp; &#252;.md')}`))).toEqual({
    objects: [{ key: 'a & ü.md', etag: '"e"', modified: '', bytes: 7, storageClass: '' }],
    next: undefined,
  })
  const escaped = `<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>`
  expect(readObjectList(list(escaped + entry('a+%2B%C3%BC.md') + entry('100%.md')))).toMatchObject({
    objects: [{ key: 'a +ü.md' }, { key: '100%.md' }],
    next: 't',
  })
  expect(readObjectList('<Error><Code>AccessDenied</Code></Error>')).toBeUndefined()
  // A server that leaves everything open is read in time.
  expect(readObjectList(list('<Contents><Key>'.repeat(100_000)))?.objects).toEqual([])
})
