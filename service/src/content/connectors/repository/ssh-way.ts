import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** ssh replaces what stands after a percent sign. */
const quoted = (path: string) => `"${path.replaceAll('%', '%%')}"`

/** Settings that leave ssh one way in: the key of this source, to the address that was checked. */
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
  // The key that a host shows first is the one that it has to show from then on.
  'StrictHostKeyChecking accept-new',
  'ConnectTimeout 15',
  'ConnectionAttempts 1',
  'ServerAliveInterval 15',
  'ServerAliveCountMax 3',
  'LogLevel ERROR',
]

/**
 * Writes what ssh needs to reach one host into a folder of this service's own, and returns the environment for git. Nothing else is
 * read: no settings, keys or agent of the user who runs the service. The host is connected to at the address that was checked, not by
 * its name, which could lead elsewhere a moment later.
 */
export async function prepareSsh(
  folder: string,
  given: { host: string; address: string; privateKey: string | undefined; knownHosts: string },
): Promise<Record<string, string>> {
  const keyFile = join(folder, 'ssh-key')
  if (given.privateKey !== undefined) {
    // ssh wants its key with a line break at the end.
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
