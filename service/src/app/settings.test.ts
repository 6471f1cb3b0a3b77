import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { readSettings, SETTING_NAMES } from './settings.ts'
import { unknownSettings } from './unknown-settings.ts'

const faultsOf = (environment: Record<string, string>): string => {
  try {
    readSettings(environment)
    return ''
  } catch (fault) {
    return String(fault)
  }
}

verifies(
  [
    'running.port-host',
    'running.data-dir',
    'running.role',
    'running.language-model',
    'running.embedding',
    'running.rate-limits',
    'running.plan',
    'rate-limits.settable',
  ],
  'every setting has its default, also where it is set to nothing',
  () => {
    const expected = {
      port: 3_000,
      host: '127.0.0.1',
      dataDirectory: './data',
      databaseUrl: undefined,
      publicUrl: undefined,
      bootstrapToken: undefined,
      role: 'all',
      languageModel: undefined,
      remoteEmbedding: undefined,
      hasRateLimits: true,
      publicRateLimits: { chatPerKey: 60, chatPerAddress: 20, searchPerKey: 300, feedbackPerKey: 60 },
      trustedProxies: 'none',
      plan: 'enterprise',
      allowPrivateNetwork: false,
    }
    expect(readSettings({})).toMatchObject(expected)
    const empty = [
      'DATABASE_URL',
      'CITEWELL_PUBLIC_URL',
      'CITEWELL_BOOTSTRAP_TOKEN',
      'CITEWELL_LLM_BASE_URL',
      'CITEWELL_LLM_MODEL',
      'CITEWELL_EMBEDDING_MODEL',
      'CITEWELL_ALLOW_PRIVATE_NETWORK',
      'CITEWELL_RATE_LIMITS',
      'CITEWELL_RATE_LIMIT_CHAT_PER_KEY',
      'CITEWELL_TRUST_PROXY',
    ]
    expect(readSettings(Object.fromEntries(empty.map((name) => [name, ''])))).toMatchObject(expected)
  },
)

verifies(
  [
    'running.language-model',
    'running.embedding',
    'running.private-network',
    'rate-limits.settable',
    'running.public-url',
  ],
  'what is set counts, and 0 is no limit',
  () => {
    const settings = readSettings({
      DATABASE_URL: 'postgres://db.example/citewell',
      CITEWELL_ROLE: 'api',
      CITEWELL_PUBLIC_URL: 'https://docs.example.com/',
      CITEWELL_LLM_BASE_URL: 'https://llm.example/v1',
      CITEWELL_LLM_MODEL: 'm',
      CITEWELL_EMBEDDING_BASE_URL: 'https://llm.example/v1',
      CITEWELL_EMBEDDING_MODEL: 'e',
      CITEWELL_ALLOW_PRIVATE_NETWORK: 'wiki.local, 10.0.0.0/8',
      CITEWELL_RATE_LIMITS: 'off',
      CITEWELL_RATE_LIMIT_CHAT_PER_KEY: '0',
      CITEWELL_RATE_LIMIT_CHAT_PER_ADDRESS: '5',
      CITEWELL_TRUST_PROXY: '192.0.2.0/24, 2001:db8::1',
      CITEWELL_PLAN: 'free',
    })
    expect(settings).toMatchObject({
      databaseUrl: 'postgres://db.example/citewell',
      role: 'api',
      publicUrl: 'https://docs.example.com',
      languageModel: { baseUrl: 'https://llm.example/v1', model: 'm' },
      remoteEmbedding: { model: 'e' },
      allowPrivateNetwork: ['wiki.local', '10.0.0.0/8'],
      hasRateLimits: false,
      publicRateLimits: { chatPerKey: 0, chatPerAddress: 5, searchPerKey: 300 },
      trustedProxies: ['192.0.2.0/24', '2001:db8::1'],
      plan: 'free',
    })
  },
)

verifies(
  ['running.faults-together', 'running.role', 'running.bootstrap-token'],
  'all faults are told together, each by the name of its setting',
  () => {
    const told = faultsOf({
      PORT: '99999',
      DATABASE_URL: 'mysql://x',
      CITEWELL_BOOTSTRAP_TOKEN: 'nineteen characters',
      CITEWELL_RATE_LIMIT_SEARCH_PER_KEY: '-1',
      CITEWELL_TRUST_PROXY: 'somewhere',
      CITEWELL_PLAN: 'gold',
    })
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'CITEWELL_BOOTSTRAP_TOKEN',
      'CITEWELL_RATE_LIMIT_SEARCH_PER_KEY',
      'CITEWELL_TRUST_PROXY',
      'CITEWELL_PLAN',
    ]) {
      expect(told).toContain(`  ${name}: `)
    }
    expect(faultsOf({ CITEWELL_ROLE: 'worker' })).toContain(
      'CITEWELL_ROLE: splitting the service into roles needs DATABASE_URL',
    )
    expect(faultsOf({ CITEWELL_BOOTSTRAP_TOKEN: 'x'.repeat(20) })).toBe('')
  },
)

verifies(
  'running.faults-together',
  'what does not fit together is told beside what is wrong by itself, and once',
  () => {
    const told = faultsOf({
      PORT: 'abc',
      CITEWELL_LLM_MODEL: 'm',
      CITEWELL_EMBEDDING_BASE_URL: 'ftp://x',
      CITEWELL_CAPTCHA_PROVIDER: 'turnstile',
      CITEWELL_GITHUB_CLIENT_ID: 'id',
    })
    for (const name of [
      'PORT',
      'CITEWELL_LLM_MODEL',
      'CITEWELL_EMBEDDING_BASE_URL',
      'CITEWELL_EMBEDDING_MODEL',
      'CITEWELL_CAPTCHA_SITE_KEY',
      'CITEWELL_CAPTCHA_SECRET',
      'CITEWELL_GITHUB_CLIENT_SECRET',
    ]) {
      expect(told.split(`  ${name}: `)).toHaveLength(2)
    }
    // What is given, though wrong, is not told as missing.
    expect(faultsOf({ CITEWELL_LLM_MODEL: 'm', CITEWELL_LLM_BASE_URL: 'x' })).not.toContain('together')
    expect(faultsOf({ CITEWELL_CAPTCHA_PROVIDER: 'x' })).not.toContain('SITE_KEY')
  },
)

test.each(SETTING_NAMES)('%s is refused in words of ours, if at all', (name) => {
  for (const given of ['\u0000?', '-1', ' ', '1.5', 'http://', '"']) {
    expect(faultsOf({ [name]: given })).not.toMatch(/invalid|expected|received|NaN|regex|pattern/i)
  }
})

test('a variable that looks like a setting and is none is told, with the one that was probably meant', () => {
  expect(
    unknownSettings({
      CITEWELL_PUBLC_URL: 'x',
      CITEWELL_URL: 'x',
      PATH: '/',
      CITEWELL_XYZZY: '1',
      CITEWELL_PORT: '1',
    }),
  ).toEqual([
    'CITEWELL_PUBLC_URL is no setting, and does nothing. Did you mean CITEWELL_PUBLIC_URL?',
    'CITEWELL_XYZZY is no setting, and does nothing.',
    'CITEWELL_PORT is no setting, and does nothing. Did you mean PORT?',
  ])
})

test('a secret is in no fault that is told', () => {
  expect(faultsOf({ CITEWELL_BOOTSTRAP_TOKEN: 'too-short-secret' })).not.toContain('too-short-secret')
})

verifies(
  'running.local-paths',
  'folders that sources may read are full paths, and the switch of before is named with its successor',
  () => {
    expect(readSettings({}).localPaths).toEqual([])
    expect(readSettings({ CITEWELL_LOCAL_PATHS: '/srv/docs, /srv/a/../b:/mnt/c/' }).localPaths).toEqual([
      '/srv/docs',
      '/srv/b',
      '/mnt/c',
    ])
    for (const path of [
      'docs',
      './docs',
      '~/docs',
      '//host/share',
      '\\\\host\\share',
      '/srv/a\u0000',
      '/proc',
      '/dev/shm',
    ]) {
      expect(faultsOf({ CITEWELL_LOCAL_PATHS: `/srv/docs,${path}` })).toContain('CITEWELL_LOCAL_PATHS')
    }
    expect(faultsOf({ CITEWELL_ALLOW_LOCAL_PATHS: 'true' })).toContain('CITEWELL_LOCAL_PATHS=/srv')
    expect(faultsOf({ CITEWELL_ALLOW_LOCAL_PATHS: 'false' })).toBe('')
  },
)
