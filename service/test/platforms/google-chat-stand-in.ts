import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Button = z.strictObject({
  text: z.string().min(1),
  onClick: z.strictObject({
    action: z.strictObject({
      function: z.string().min(1),
      parameters: z.array(z.strictObject({ key: z.string(), value: z.string() })),
    }),
  }),
})

const Message = z.strictObject({
  text: z.string().min(1),
  markupSyntax: z.literal('MARKUP_SYNTAX_MARKDOWN'),
  accessoryWidgets: z.array(
    z.strictObject({ buttonList: z.strictObject({ buttons: z.array(Button).min(1) }) }),
  ),
  thread: z.strictObject({ name: z.string() }).optional(),
})

const CREATE_QUERY = new Set(['requestId', 'messageReplyOption', 'messageId', 'threadKey'])

export interface GoogleChatMessage {
  name: string
  space: string
  /** Undefined if the message began one. */
  thread: string | undefined
  text: string
  /** What its buttons carry, and what they call. */
  buttons: { parameters: Record<string, string>; function: string }[]
  edits: string[]
  /** `performance.now()`. */
  at: number
}

type Issuer = 'chat' | 'accounts'

interface Proof {
  by?: Issuer
  at?: Date
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  privateKey?: KeyObject
}

export interface GoogleChatStandIn extends StandInServer {
  credentials: { service_account: string; project_number: string }
  messages: GoogleChatMessage[]
  /** Spaces that the app is in. */
  spaces: Set<string>
  deleted: Set<string>
  tokens: Set<string>
  /** Mentions that Google Chat made of a text. */
  mentioned: string[]
  /** Writes beyond one a second in a space. */
  refusedAsTooMany: string[]
  /** Whether the API is switched on in the project. */
  isEnabled: boolean
  isKeyDeleted: boolean
  losesAnswer: boolean
  /** The proof of a request: of a Chat app, or of an add-on whose bot has this address. */
  proof(given?: Proof): Record<string, string>
  proofOfAddOn(address: string, given?: Proof): Record<string, string>
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function refusal(code: number, status: string, message: string): StandInAnswer {
  return { status: code, body: { error: { code, message, status } } }
}

/** What a mention or a link begins with in a text. */
const mentionsIn = (text: string) => [...text.matchAll(/<users\/[^>]{0,100}>/g)].map(([mention]) => mention)

/** The Chat API, the tokens and the published keys of Google as far as a bot uses them: stateful and strict. */
export async function startGoogleChatStandIn(projectNumber = '1234567890'): Promise<GoogleChatStandIn> {
  const ours = newKey()
  const keys: Record<Issuer, ReturnType<typeof newKey>> = { chat: newKey(), accounts: newKey() }
  const account = {
    type: 'service_account',
    project_id: 'acme-docs',
    client_email: 'docs@acme-docs.iam.gserviceaccount.com',
    private_key_id: 'key-1',
    private_key: ours.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    // Not followed: a token would be asked of whatever is there.
    token_uri: 'http://127.0.0.1:1/token',
  }
  const messages: GoogleChatMessage[] = []
  const tokens = new Set<string>()
  const requestIds = new Map<string, GoogleChatMessage>()
  const writes = new Map<string, number>()
  const state = { made: 0 }

  function confirm(answer: StandInAnswer): StandInAnswer {
    if (!standIn.losesAnswer) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  function giveToken(body: unknown): StandInAnswer {
    const form = Object.fromEntries(new URLSearchParams(String(body)))
    const [head = '', claims = '', signature = ''] = (form['assertion'] ?? '').split('.')
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<string, unknown>
    const isOurs = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(ours.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    )
    if (form['grant_type'] !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    if (said['scope'] !== 'https://www.googleapis.com/auth/chat.bot')
      return { status: 400, body: { error: 'invalid_scope' } }
    const isMeant =
      said['iss'] === account.client_email && said['aud'] === 'https://oauth2.googleapis.com/token'
    if (!isOurs || !isMeant || standIn.isKeyDeleted)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    state.made += 1
    const token = `ya29.${state.made}`
    tokens.add(token)
    return { body: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } }
  }

  /** One write a second in a space. */
  function isTooMuch(space: string): boolean {
    const now = performance.now()
    const last = writes.get(space) ?? -Infinity
    if (now - last < 1_000) {
      standIn.refusedAsTooMany.push(space)
      return true
    }
    writes.set(space, now)
    return false
  }

  const TOO_MANY = refusal(
    429,
    'RESOURCE_EXHAUSTED',
    "Resource has been exhausted (e.g. check quota). Quota exceeded for quota metric 'Writes'.",
  )
  const NO_MEMBER = refusal(403, 'PERMISSION_DENIED', 'This Chat app is not a member of this space.')

  const shown = ({ name, thread, text, space }: GoogleChatMessage): StandInAnswer => ({
    body: { name, text, space: { name: space }, thread: { name: thread ?? `${space}/threads/new` } },
  })

  function faultOf(body: unknown): StandInAnswer | undefined {
    const message = Message.safeParse(body)
    if (!message.success)
      return refusal(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. ${message.error.message}`)
    if (Buffer.byteLength(JSON.stringify(body)) > 32_000)
      return refusal(400, 'INVALID_ARGUMENT', 'Message size exceeds the limit.')
    return undefined
  }

  const buttonsOf = ({ accessoryWidgets: widgets }: z.infer<typeof Message>) =>
    widgets
      .flatMap(({ buttonList }) => buttonList.buttons)
      .map(({ onClick: { action } }) => ({
        parameters: Object.fromEntries(action.parameters.map(({ key, value }) => [key, value])),
        function: action.function,
      }))

  function create(space: string, { query, body }: StandInRequest): StandInAnswer {
    if (!standIn.spaces.has(space)) return NO_MEMBER
    const unknown = [...query.keys()].find((name) => !CREATE_QUERY.has(name))
    if (unknown !== undefined) return refusal(400, 'INVALID_ARGUMENT', `Unknown name "${unknown}"`)
    const known = requestIds.get(query.get('requestId') ?? '')
    if (known !== undefined) return shown(known)
    const fault = faultOf(body)
    if (fault !== undefined) return fault
    if (isTooMuch(space)) return TOO_MANY
    const message = Message.parse(body)
    state.made += 1
    const isReply = query.get('messageReplyOption') === 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
    const made: GoogleChatMessage = {
      name: `${space}/messages/m${state.made}.m${state.made}`,
      space,
      thread: isReply ? message.thread?.name : undefined,
      text: message.text,
      buttons: buttonsOf(message),
      edits: [],
      at: performance.now(),
    }
    messages.push(made)
    standIn.mentioned.push(...mentionsIn(message.text))
    const id = query.get('requestId')
    if (id !== null) requestIds.set(id, made)
    return confirm(shown(made))
  }

  function patch(name: string, { query, body }: StandInRequest): StandInAnswer {
    const found = messages.find((one) => one.name === name)
    if (found === undefined || standIn.deleted.has(name))
      return refusal(404, 'NOT_FOUND', 'Message not found.')
    if (!standIn.spaces.has(found.space)) return NO_MEMBER
    if (query.get('updateMask') !== 'text,accessoryWidgets')
      return refusal(400, 'INVALID_ARGUMENT', 'Invalid update mask.')
    const fault = faultOf(body)
    if (fault !== undefined) return fault
    if (isTooMuch(found.space)) return TOO_MANY
    const message = Message.parse(body)
    found.edits.push(found.text)
    Object.assign(found, { text: message.text, buttons: buttonsOf(message) })
    standIn.mentioned.push(...mentionsIn(message.text))
    return confirm(shown(found))
  }

  const published = (issuer: Issuer) => ({
    body: {
      keys: [{ ...keys[issuer].publicKey.export({ format: 'jwk' }), kid: issuer, alg: 'RS256', use: 'sig' }],
    },
  })

  function callApi(request: StandInRequest): StandInAnswer {
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!tokens.has(token))
      return refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    if (!standIn.isEnabled)
      return refusal(
        403,
        'PERMISSION_DENIED',
        `Google Chat API has not been used in project ${projectNumber} before or it is disabled.`,
      )
    const what = `${request.method} ${request.path}`
    if (what === 'GET /v1/spaces') return { body: { spaces: [...standIn.spaces].map((name) => ({ name })) } }
    const [, space] = /^POST \/v1\/(spaces\/[\w-]+)\/messages$/.exec(what) ?? []
    if (space !== undefined) return create(space, request)
    const [, name] = /^PATCH \/v1\/(spaces\/[\w-]+\/messages\/[\w.-]+)$/.exec(what) ?? []
    return name === undefined ? refusal(404, 'NOT_FOUND', 'Not found.') : patch(name, request)
  }

  const server = await startStandIn((request): StandInAnswer => {
    if (request.path === '/service_accounts/v1/jwk/chat@system.gserviceaccount.com') return published('chat')
    if (request.path === '/oauth2/v3/certs') return published('accounts')
    return request.path === '/token' ? giveToken(request.body) : callApi(request)
  })

  const proof = ({ by = 'chat', at = new Date(), claims = {}, header = {}, privateKey }: Proof = {}) => {
    const seconds = Math.floor(at.getTime() / 1_000)
    const head = base64url({ alg: 'RS256', typ: 'JWT', kid: by, ...header })
    const body = base64url({
      iss: 'chat@system.gserviceaccount.com',
      aud: projectNumber,
      iat: seconds,
      exp: seconds + 3_600,
      ...claims,
    })
    const key = privateKey ?? keys[by].privateKey
    const signature = sign('RSA-SHA256', Buffer.from(`${head}.${body}`), key).toString('base64url')
    return { authorization: `Bearer ${head}.${body}.${signature}` }
  }

  const standIn: GoogleChatStandIn = Object.assign(server, {
    credentials: { service_account: JSON.stringify(account), project_number: projectNumber },
    messages,
    spaces: new Set(['spaces/AAAhelp', 'spaces/AAAdirect', 'spaces/AAAteam']),
    deleted: new Set<string>(),
    tokens,
    mentioned: [],
    refusedAsTooMany: [],
    isEnabled: true,
    isKeyDeleted: false,
    losesAnswer: false,
    proof,
    proofOfAddOn: (address: string, { claims = {}, ...given }: Proof = {}) =>
      proof({
        by: 'accounts',
        ...given,
        claims: {
          iss: 'https://accounts.google.com',
          aud: address,
          email: `service-${projectNumber}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`,
          email_verified: true,
          ...claims,
        },
      }),
  })
  return standIn
}
