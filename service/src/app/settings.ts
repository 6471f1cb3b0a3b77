import { z } from 'zod'

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
    CITEWELL_RATE_LIMITS: z.enum(['on', 'off']).default('on'),
    CITEWELL_PLAN: z.enum(['free', 'pro', 'enterprise']).default('enterprise'),
    CITEWELL_ALLOW_PRIVATE_NETWORK: switchOrList,
    CITEWELL_ALLOW_LOCAL_PATHS: z.preprocess(emptyIsUnset, z.enum(['true', 'false']).optional()),
    CITEWELL_CHROMIUM_PATH: optionalText,
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
  })

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** A remote model behind an OpenAI-compatible address. */
export interface RemoteModelSettings {
  baseUrl: string
  apiKey: string | undefined
  model: string
}

export interface Settings {
  port: number
  host: string
  dataDirectory: string
  databaseUrl: string | undefined
  /** Address that readers and tools use, without a slash at its end; undefined: where the service listens. */
  publicUrl: string | undefined
  bootstrapToken: string | undefined
  role: 'all' | 'api' | 'worker'
  languageModel: RemoteModelSettings | undefined
  remoteEmbedding: RemoteModelSettings | undefined
  /** Folder of a BERT-type ONNX model to embed with instead of the built-in one. */
  localEmbeddingFolder: string | undefined
  hasRateLimits: boolean
  plan: 'free' | 'pro' | 'enterprise'
  /** Private addresses that crawls and calls may reach: all, none, or these hosts and CIDR ranges. */
  allowPrivateNetwork: boolean | string[]
  /** Whether sources may name folders of this machine. */
  allowLocalPaths: boolean
  chromiumPath: string | undefined
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
    hasRateLimits: read.CITEWELL_RATE_LIMITS === 'on',
    plan: read.CITEWELL_PLAN,
    allowPrivateNetwork: read.CITEWELL_ALLOW_PRIVATE_NETWORK,
    allowLocalPaths:
      read.CITEWELL_ALLOW_LOCAL_PATHS === undefined
        ? LOOPBACK.has(read.HOST)
        : read.CITEWELL_ALLOW_LOCAL_PATHS === 'true',
    chromiumPath: read.CITEWELL_CHROMIUM_PATH,
    logLevel: read.CITEWELL_LOG_LEVEL,
  }
}
