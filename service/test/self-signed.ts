import { generateKeyPairSync, sign } from 'node:crypto'

const DAY_MS = 24 * 60 * 60 * 1_000

/** One value of ASN.1 in DER: its tag, its length, and its content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x82]), length, content])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const text = (value: string) => der(0x0c, Buffer.from(value))
const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))

const ECDSA_SHA256 = sequence(der(0x06, hex('2a8648ce3d040302')))
const COMMON_NAME = hex('550403')
const ALTERNATIVE_NAMES = hex('551d11')
const AUTHORITY = hex('551d13')

/** A self-signed certificate for the names of this machine, valid for a day, with its key: both as PEM. */
export function selfSigned(names: readonly string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), text(names[0] ?? ''))))
  const alternatives = sequence(...names.map((each) => der(0x82, Buffer.from(each))))
  const extensions = sequence(
    sequence(der(0x06, ALTERNATIVE_NAMES), der(0x04, alternatives)),
    sequence(der(0x06, AUTHORITY), der(0x01, hex('ff')), der(0x04, sequence(der(0x01, hex('ff'))))),
  )
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ECDSA_SHA256, der(0x03, hex('00'), signature))
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
