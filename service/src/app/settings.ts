import { z } from 'zod'
import type { CaptchaSettings } from '../channels/captcha/captcha.ts'
import { MASTER_KEY_MIN_CHARACTERS } from '../platform/secrets/sealed.ts'
import { rateLimitEnvironment, rateLimitSettingsOf, type RateLimitSettings } from './rate-limit-settings.ts'
import { captchaEnvironment, captchaFaults, captchaSettingsOf } from './captcha-settings.ts'
import type { IdentityProviderSettings } from '../channels/sign-in/sign-in.ts'
import {
  connectionEnvironment,
  connectionSettingsOf,
  type ConnectionSettings,
} from './connection-settings.ts'
import { connectAppsOf, connectEnvironment, connectFaults } from './connect-settings.ts'
import type { OAuthApps } from '../content/source-connections/source-connections.ts'
import { mcpEnvironment } from './mcp-settings.ts'
import { localPathsEnvironment } from './local-paths-settings.ts'
import { emptyIsUnset, oneOf, readTogether, webAddress, wholeNumber } from './read-environment.ts'
import { signInEnvironment, signInFaults, signInSettingsOf } from './sign-in-settings.ts'

const optionalUrl = emptyIsUnset(webAddress().optional())
const optionalText = emptyIsUnset(z.string().optional())

const optionalMegabytes = emptyIsUnset(wholeNumber(0, 1e9).optional())

/** `true`, `false`, or a comma-separated list of what is allowed. */
const switchOrList = emptyIsUnset(
  z
    .string()
    .optional()
    .transform((text) => {
      if (text === undefined || text === 'false') return false
      if (text === 'true') return true
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    }),
)

/** One master key, or several separated by commas, the newest first. */
const secretKeys = emptyIsUnset(
  z
    .string()
    .refine((text) => text.split(',').every((key) => key.trim().length >= MASTER_KEY_MIN_CHARACTERS), {
      error: `needs ${MASTER_KEY_MIN_CHARACTERS} random characters or more`,
    })
    .optional(),
)

const environment = {
  PORT: emptyIsUnset(wholeNumber(0, 65_535).default(3_000)),
  HOST: emptyIsUnset(z.string().default('127.0.0.1')),
  CITEWELL_DATA_DIR: emptyIsUnset(z.string().default('./data')),
  DATABASE_URL: emptyIsUnset(
    z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be an address such as postgres://user:password@host:5432/database',
      })
      .optional(),
  ),
  CITEWELL_PUBLIC_URL: optionalUrl,
  CITEWELL_BOOTSTRAP_TOKEN: emptyIsUnset(z.string().min(20, 'needs at least 20 characters').optional()),
  CITEWELL_ROLE: emptyIsUnset(oneOf('all', 'api', 'worker').default('all')),
  CITEWELL_LLM_BASE_URL: optionalUrl,
  CITEWELL_LLM_API_KEY: optionalText,
  CITEWELL_LLM_MODEL: optionalText,
  CITEWELL_EMBEDDING_BASE_URL: optionalUrl,
  CITEWELL_EMBEDDING_API_KEY: optionalText,
  CITEWELL_EMBEDDING_MODEL: optionalText,
  ...rateLimitEnvironment,
  ...connectionEnvironment,
  CITEWELL_METRICS_TOKEN: emptyIsUnset(z.string().min(20, 'needs at least 20 characters').optional()),
  CITEWELL_KEEP_FREE_MB: optionalMegabytes,
  CITEWELL_WORKSPACE_STORAGE_MB: optionalMegabytes,
  CITEWELL_PLAN: emptyIsUnset(oneOf('free', 'pro', 'enterprise').default('enterprise')),
  CITEWELL_ALLOW_PRIVATE_NETWORK: switchOrList,
  ...localPathsEnvironment,
  CITEWELL_CHROMIUM_PATH: optionalText,
  CITEWELL_CHROMIUM_SANDBOX: emptyIsUnset(oneOf('on', 'off').default('on')),
  CITEWELL_SECRET_KEY: secretKeys,
  ...captchaEnvironment,
  ...signInEnvironment,
  ...connectEnvironment,
  ...mcpEnvironment,
  CITEWELL_LOG_LEVEL: emptyIsUnset(oneOf('debug', 'info', 'warn', 'error', 'silent').default('info')),
}

type Read = z.output<z.ZodObject<typeof environment>>

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(environment)

/** What does not go together, by the setting to correct. Of a setting that is itself wrong, `read` has the text as it was given. */
function faultsBetween(read: Read): [string, string][] {
  const faults: [string, string][] = []
  if (read.CITEWELL_ROLE !== 'all' && read.DATABASE_URL === undefined)
    faults.push(['CITEWELL_ROLE', 'splitting the service into roles needs DATABASE_URL'])
  if ((read.CITEWELL_LLM_BASE_URL === undefined) !== (read.CITEWELL_LLM_MODEL === undefined))
    faults.push([
      'CITEWELL_LLM_MODEL',
      'set CITEWELL_LLM_BASE_URL and CITEWELL_LLM_MODEL together, or neither',
    ])
  if (read.CITEWELL_EMBEDDING_BASE_URL !== undefined && read.CITEWELL_EMBEDDING_MODEL === undefined)
    faults.push(['CITEWELL_EMBEDDING_MODEL', 'needs a model name with CITEWELL_EMBEDDING_BASE_URL'])
  return [...faults, ...captchaFaults(read), ...signInFaults(read), ...connectFaults(read)]
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Whether what listens there is reached from this machine alone. */
export const isLoopback = (host: string) => LOOPBACK.has(host)

/** A remote model behind an OpenAI-compatible address. */
export interface RemoteModelSettings {
  baseUrl: string
  apiKey: string | undefined
  model: string
}

export interface Settings extends RateLimitSettings, ConnectionSettings {
  port: number
  host: string
  dataDirectory: string
  databaseUrl: string | undefined
  /** Address that readers and tools use, without a slash at its end; undefined: where the service listens. */
  publicUrl: string | undefined
  bootstrapToken: string | undefined
  /** Shows who may read figures and what is down; undefined: who is on this machine. */
  metricsToken: string | undefined
  role: 'all' | 'api' | 'worker'
  languageModel: RemoteModelSettings | undefined
  remoteEmbedding: RemoteModelSettings | undefined
  /** Folder of a BERT-type ONNX model to embed with instead of the built-in one. */
  localEmbeddingFolder: string | undefined
  plan: 'free' | 'pro' | 'enterprise'
  /** Of the disk; nothing is added below that. Undefined: by the size of the disk. */
  keepFreeMegabytes: number | undefined
  /** What each workspace may store; 0: no limit. Undefined: what its plan says. */
  workspaceStorageMegabytes: number | undefined
  /** Private addresses that crawls and calls may reach: all, none, or these hosts and CIDR ranges. */
  allowPrivateNetwork: boolean | string[]
  /** Folders and files of this machine that sources may read, as full paths. */
  localPaths: string[]
  chromiumPath: string | undefined
  /** `off` runs the browser without its own sandbox, for where that does not work. */
  chromiumSandbox: 'on' | 'off'
  /** Undefined: CAPTCHA is off. */
  captcha: CaptchaSettings | undefined
  /** Providers that people may sign in with. */
  signInProviders: IdentityProviderSettings[]
  /** Apps at platforms whose accounts are connected to read sources with. */
  connectApps: OAuthApps
  /** Hosts of websites that may be connected to the portal. */
  mcpWebClientHosts: string[]
  /** Schemes of tools beside those that every service knows. */
  mcpToolSchemes: string[]
  /** Seals what is stored secret; undefined: a key of the data directory. */
  secretKey: string | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Reads the environment once, in `app/main.ts`; all faults are told together. */
export function readSettings(given: Record<string, string | undefined>): Settings {
  const read = readTogether(environment, given, faultsBetween)
  const embeddingModel = read.CITEWELL_EMBEDDING_MODEL
  return {
    port: read.PORT,
    host: read.HOST,
    dataDirectory: read.CITEWELL_DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    publicUrl: read.CITEWELL_PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
    bootstrapToken: read.CITEWELL_BOOTSTRAP_TOKEN,
    metricsToken: read.CITEWELL_METRICS_TOKEN,
    role: read.CITEWELL_ROLE,
    languageModel:
      read.CITEWELL_LLM_BASE_URL === undefined || read.CITEWELL_LLM_MODEL === undefined
        ? undefined
        : {
            baseUrl: read.CITEWELL_LLM_BASE_URL,
            apiKey: read.CITEWELL_LLM_API_KEY,
            model: read.CITEWELL_LLM_MODEL,
          },
    remoteEmbedding:
      read.CITEWELL_EMBEDDING_BASE_URL === undefined || embeddingModel === undefined
        ? undefined
        : {
            baseUrl: read.CITEWELL_EMBEDDING_BASE_URL,
            apiKey: read.CITEWELL_EMBEDDING_API_KEY,
            model: embeddingModel,
          },
    localEmbeddingFolder: read.CITEWELL_EMBEDDING_BASE_URL === undefined ? embeddingModel : undefined,
    ...connectionSettingsOf(read),
    ...rateLimitSettingsOf(read, { hasPublicUrl: read.CITEWELL_PUBLIC_URL !== undefined }),
    plan: read.CITEWELL_PLAN,
    keepFreeMegabytes: read.CITEWELL_KEEP_FREE_MB,
    workspaceStorageMegabytes: read.CITEWELL_WORKSPACE_STORAGE_MB,
    allowPrivateNetwork: read.CITEWELL_ALLOW_PRIVATE_NETWORK,
    localPaths: read.CITEWELL_LOCAL_PATHS,
    chromiumPath: read.CITEWELL_CHROMIUM_PATH,
    chromiumSandbox: read.CITEWELL_CHROMIUM_SANDBOX,
    captcha: captchaSettingsOf(read),
    signInProviders: signInSettingsOf(read),
    connectApps: connectAppsOf(read),
    mcpWebClientHosts: read.CITEWELL_MCP_WEB_CLIENT_HOSTS,
    mcpToolSchemes: read.CITEWELL_MCP_TOOL_SCHEMES,
    secretKey: read.CITEWELL_SECRET_KEY,
    logLevel: read.CITEWELL_LOG_LEVEL,
  }
}
