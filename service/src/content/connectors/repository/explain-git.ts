import { redactAddresses } from '../../../kernel/redact-addresses.ts'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import { SourceFailure, type SourceCredentials } from '../connector.ts'
import { GitError } from './git.ts'
import { tooLarge } from './temporary-folder.ts'

const MAX_CHARACTERS = 300

/** Messages of ssh, explained to the owner of the source. */
const SSH_ERRORS: [RegExp, string][] = [
  [
    /permission denied|no more authentication methods/i,
    'the host refused the sign-in. Give the source a deploy key (credentials.ssh_private_key); keys of this machine are not used.',
  ],
  [
    /host key verification failed|remote host identification has changed/i,
    'the host key has changed. If that is expected, the operator has to remove its line from ssh-known-hosts in the data directory.',
  ],
  [
    /ssh: (not found|command not found)|cannot run ssh/i,
    'ssh is not installed on the machine that runs this service.',
  ],
]

/** Refusals caused by the address, which are also reported when a source is saved or previewed; the message gives the reason. */
const REFUSED = new Set(['private_address', 'metadata_address', 'dns'])

/** Explains why a repository could not be read, without revealing its credentials. */
export function explainGit(
  error: unknown,
  of: { name: string; ref: string | undefined; credentials: SourceCredentials },
): unknown {
  if (error instanceof OutboundFailure) {
    const message = `${of.name} could not be read: ${error.message}`
    return new SourceFailure(message, { cause: error, isRefused: REFUSED.has(error.reason) })
  }
  if (!(error instanceof GitError)) return error
  if (/died of signal 25|SIGXFSZ|file too large/i.test(error.message)) return tooLarge()
  if (error.isMissing)
    return new SourceFailure(`There is no branch, tag or commit "${of.ref ?? ''}" in ${of.name}.`)
  const known = SSH_ERRORS.find(([said]) => said.test(error.message))?.[1]
  const said = error.message.split('\n').findLast((line) => /^(fatal|error): /.test(line)) ?? error.message
  const plain = said.replace(/^(fatal|error): |\.$/g, '').replaceAll(/\p{C}+/gu, ' ')
  const { user = '', password = '' } = of.credentials
  const quiet = [password, user].reduce(
    (text, secret) => (secret.length < 4 ? text : text.replaceAll(secret, '…')),
    redactAddresses(plain),
  )
  return new SourceFailure(`${of.name} could not be read: ${known ?? `${quiet.slice(0, MAX_CHARACTERS)}.`}`)
}
