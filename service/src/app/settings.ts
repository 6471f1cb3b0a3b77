import { z } from 'zod'
import type { CaptchaSettings } from '../channels/captcha/captcha.ts'
import { MASTER_KEY_MIN_CHARACTERS } from '../platform/secrets/sealed.ts'
import { rateLimitEnvironment, rateLimitSettingsOf, type RateLimitSettings } from './rate-limit-settings.ts'
import { captchaEnvironment, captchaFaults, captchaSettingsOf } from './captcha-settings.ts'
import type { OutsideProviderSettings } from '../channels/sign-in/sign-in.ts'
import {
  connectionEnvironment,
  connectionSettingsOf,
  type ConnectionSettings,
} from './connection-settings.ts'
import { mcpEnvironment } from './mcp-settings.ts'
import { signInEnvironment, signInFaults, signInSettingsOf } from './sign-in-settings.ts'

const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value)

const optionalUrl = z.preprocess(emptyIsUnset, z.url({ protocol: /^https?$/ }).optional())
const optionalText = z.preprocess(emptyIsUnset, z.string().optional())

/** `true`, `false`, or a comma-separated list of what is allowed. */
const switchOrList = z.preprocess(
  emptyIsUnset,
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
const secretKeys = z.preprocess(
  emptyIsUnset,
  z
    .string()
    .refine((text) => text.split(',').every((key) => key.trim().length >= MASTER_KEY_MIN_CHARACTERS), {
      error: `needs ${MASTER_KEY_MIN_CHARACTERS} random characters or more`,
    })
    .optional(),
)

const Environment = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
    HOST: z.string().default('127.0.0.1'),
    CITEWELL_DATA_DIR: z.preprocess(emptyIsUnset, z.string().default('./data')),
    DATABASE_URL: z.preprocess(emptyIsUnset, z.url({ protocol: /^postgres(ql)?$/ }).optional()),
    CITEWELL_PUBLIC_URL: optionalUrl,
    CITEWELL_BOOTSTRAP_TOKEN: z.preprocess(
      emptyIsUnset,
      z.string().min(20, 'needs at least 20 characters').optional(),
    ),
    CITEWELL_ROLE: z.enum(['all', 'api', 'worker']).default('all'),
    CITEWELL_LLM_BASE_URL: optionalUrl,
    CITEWELL_LLM_API_KEY: optionalText,
    CITEWELL_LLM_MODEL: optionalText,
    CITEWELL_EMBEDDING_BASE_URL: optionalUrl,
    CITEWELL_EMBEDDING_API_KEY: optionalText,
    CITEWELL_EMBEDDING_MODEL: optionalText,
    ...rateLimitEnvironment,
    ...connectionEnvironment,
    CITEWELL_METRICS_TOKEN: z.preprocess(
      emptyIsUnset,
      z.string().min(20, 'needs at least 20 characters').optional(),
    ),
    CITEWELL_PLAN: z.enum(['free', 'pro', 'enterprise']).default('enterprise'),
    CITEWELL_ALLOW_PRIVATE_NETWORK: switchOrList,
    CITEWELL_ALLOW_LOCAL_PATHS: z.preprocess(emptyIsUnset, z.enum(['true', 'false']).optional()),
    CITEWELL_CHROMIUM_PATH: optionalText,
    CITEWELL_SECRET_KEY: secretKeys,
    ...captchaEnvironment,
    ...signInEnvironment,
    ...mcpEnvironment,
    CITEWELL_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  })
  .superRefine((settings, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (settings.CITEWELL_ROLE !== 'all' && settings.DATABASE_URL === undefined) {
      fault('CITEWELL_ROLE', 'splitting the service into roles needs DATABASE_URL')
    }
    if ((settings.CITEWELL_LLM_BASE_URL === undefined) !== (settings.CITEWELL_LLM_MODEL === undefined)) {
      fault('CITEWELL_LLM_MODEL', 'set CITEWELL_LLM_BASE_URL and CITEWELL_LLM_MODEL together, or neither')
    }
    if (
      settings.CITEWELL_EMBEDDING_BASE_URL !== undefined &&
      settings.CITEWELL_EMBEDDING_MODEL === undefined
    ) {
      fault('CITEWELL_EMBEDDING_MODEL', 'needs a model name with CITEWELL_EMBEDDING_BASE_URL')
    }
    for (const [path, message] of captchaFaults(settings)) fault(path, message)
    for (const [path, message] of signInFaults(settings)) fault(path, message)
  })

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

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
  /** Private addresses that crawls and calls may reach: all, none, or these hosts and CIDR ranges. */
  allowPrivateNetwork: boolean | string[]
  /** Whether sources may name folders of this machine. */
  allowLocalPaths: boolean
  chromiumPath: string | undefined
  /** Undefined: CAPTCHA is off. */
  captcha: CaptchaSettings | undefined
  /** Providers that people may sign in with. */
  signInProviders: OutsideProviderSettings[]
  /** Hosts of websites that may be connected to the portal. */
  mcpWebClientHosts: string[]
  /** Schemes of tools beside those that every service knows. */
  mcpToolSchemes: string[]
  /** Seals what is stored secret; undefined: a key of the data directory. */
  secretKey: string | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** The settings are not usable; the message lists every fault, a line each. */
export class SettingsFault extends Error {}

/** Reads the environment once, in `app/main.ts`; all faults are told together. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new SettingsFault(`These settings are not usable:\n${lines.join('\n')}`)
  }
  const read = parsed.data
  const embeddingModel = read.CITEWELL_EMBEDDING_MODEL
  return {
    port: read.PORT,
    host: read.HOST,
    dataDirectory: read.CITEWELL_DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    publicUrl: read.CITEWELL_PUBLIC_URL?.replace(/\/+$/, ''),
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
    allowPrivateNetwork: read.CITEWELL_ALLOW_PRIVATE_NETWORK,
    allowLocalPaths:
      read.CITEWELL_ALLOW_LOCAL_PATHS === undefined
        ? LOOPBACK.has(read.HOST)
        : read.CITEWELL_ALLOW_LOCAL_PATHS === 'true',
    chromiumPath: read.CITEWELL_CHROMIUM_PATH,
    captcha: captchaSettingsOf(read),
    signInProviders: signInSettingsOf(read),
    mcpWebClientHosts: read.CITEWELL_MCP_WEB_CLIENT_HOSTS,
    mcpToolSchemes: read.CITEWELL_MCP_TOOL_SCHEMES,
    secretKey: read.CITEWELL_SECRET_KEY,
    logLevel: read.CITEWELL_LOG_LEVEL,
  }
}
