import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** ssh expands percent signs in a path. */
const quoted = (path: string) => `"${path.replaceAll('%', '%%')}"`

/** Settings that leave ssh only this source's key, and only the checked address. */
const FIXED = [
  'BatchMode yes',
  'IdentitiesOnly yes',
  'IdentityAgent none',
  'AddKeysToAgent no',
  'PasswordAuthentication no',
  'KbdInteractiveAuthentication no',
  'GSSAPIAuthentication no',
  'HostbasedAuthentication no',
  'ForwardAgent no',
  'ForwardX11 no',
  'ClearAllForwardings yes',
  'PermitLocalCommand no',
  'ProxyCommand none',
  'ProxyJump none',
  'ControlMaster no',
  'ControlPath none',
  'CanonicalizeHostname no',
  'CheckHostIP no',
  'VerifyHostKeyDNS no',
  'UpdateHostKeys no',
  'GlobalKnownHostsFile /dev/null',
  // Trust on first use: the host key shown first is required from then on.
  'StrictHostKeyChecking accept-new',
  'ConnectTimeout 15',
  'ConnectionAttempts 1',
  'ServerAliveInterval 15',
  'ServerAliveCountMax 3',
  'LogLevel ERROR',
]

/**
 * Writes the ssh configuration for one host into a temporary folder, and returns the environment for git. Nothing else is read: no
 * settings, keys or agent of the user who runs the service. ssh connects to the checked address, not to the host name, which could resolve
 * differently a moment later.
 */
export async function prepareSsh(
  folder: string,
  given: { host: string; address: string; privateKey: string | undefined; knownHosts: string },
): Promise<Record<string, string>> {
  const keyFile = join(folder, 'ssh-key')
  if (given.privateKey !== undefined) {
    // ssh requires a line break at the end of the key.
    const key = `${given.privateKey.replaceAll('\r\n', '\n').trim()}\n`
    await writeFile(keyFile, key, { mode: 0o600 })
  }
  const configFile = join(folder, 'ssh-config')
  const settings = [
    `HostName ${given.address}`,
    `HostKeyAlias ${given.host}`,
    `IdentityFile ${given.privateKey === undefined ? 'none' : quoted(keyFile)}`,
    `UserKnownHostsFile ${quoted(given.knownHosts)}`,
    ...FIXED,
  ]
  await writeFile(configFile, `${settings.join('\n')}\n`, { mode: 0o600 })
  return { GIT_SSH_COMMAND: `ssh -F '${configFile.replaceAll("'", `'\\''`)}'`, GIT_SSH_VARIANT: 'ssh' }
}
