import { createVerify, generateKeyPairSync } from 'node:crypto'
import { startStandIn, type StandInAnswer } from './stand-in-server.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

type Claims = Record<string, unknown>

const refusal = (error: string, error_description: string): StandInAnswer => ({
  status: 400,
  body: { error, error_description },
})

/** The token address of Google for a service account: it checks the signature, audience, times, scope and subject of the assertion. */
export async function startGoogleTokens() {
  const email = 'reader@acme.iam.gserviceaccount.com'
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const valid = new Set<string>()
  const delegates = new Set<string>()
  let made = 0

  function wrongClaims(claims: Claims): StandInAnswer | undefined {
    const now = Date.now() / 1_000
    const [issued, ends] = [Number(claims['iat']), Number(claims['exp'])]
    if (claims['iss'] !== email || claims['aud'] !== 'https://oauth2.googleapis.com/token')
      return refusal('invalid_grant', 'Invalid JWT: wrong issuer or audience.')
    if (!(Math.abs(now - issued) < 300 && ends > now && ends - issued <= 3_600))
      return refusal('invalid_grant', 'Invalid JWT: Token must be a short-lived token.')
    if (claims['scope'] !== SCOPE) return refusal('invalid_scope', 'Invalid OAuth scope.')
    const subject = claims['sub']
    if (subject !== undefined && !(typeof subject === 'string' && delegates.has(subject)))
      return refusal(
        'unauthorized_client',
        'Client is unauthorized to retrieve access tokens using this method.',
      )
    return undefined
  }

  const server = await startStandIn(({ method, path, body }) => {
    if (method !== 'POST' || path !== '/token' || typeof body !== 'string')
      return refusal('invalid_request', 'Bad Request')
    const fields = new URLSearchParams(body)
    if (fields.get('grant_type') !== GRANT) return refusal('unsupported_grant_type', 'Invalid grant_type')
    const [head = '', payload = '', signature = ''] = (fields.get('assertion') ?? '').split('.')
    const isSigned = createVerify('RSA-SHA256')
      .update(`${head}.${payload}`)
      .verify(publicKey, Buffer.from(signature, 'base64url'))
    if (!isSigned) return refusal('invalid_grant', 'Invalid JWT Signature.')
    const wrong = wrongClaims(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims)
    if (wrong !== undefined) return wrong
    made += 1
    const token = `ya29.service-${made}`
    valid.add(token)
    return { body: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } }
  })

  return {
    server,
    /** Users that the account may act for. */
    delegates,
    /** The file that Google makes; its `token_uri` is not where it is used. */
    key: JSON.stringify({
      type: 'service_account',
      project_id: 'acme',
      private_key_id: 'abc123',
      private_key: privateKey,
      client_email: email,
      client_id: '1',
      token_uri: 'https://attacker.example/token',
    }),
    isValid: (token: string) => valid.has(token),
    /** All tokens end before their time. */
    expire: () => valid.clear(),
  }
}
