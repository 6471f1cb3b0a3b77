import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const run = promisify(execFile)

/** Another widget, as its registry has it: the file that its documentation puts on a page, and the lines that start it there. */
interface Peer {
  name: string
  version: string
  file: string
  isModule: boolean
  start: string
}

const PEERS: readonly Peer[] = [
  {
    name: '@docsearch/js',
    version: '5.2.0',
    file: 'dist/umd/index.js',
    isModule: false,
    start: "docsearch({ container: '#peer', appId: 'A', apiKey: 'k', indexName: 'docs' })",
  },
  {
    name: '@inkeep/cxkit-js',
    version: '0.5.64',
    file: 'dist/embed.js',
    isModule: true,
    start: "Inkeep.ChatButton({ baseSettings: { apiKey: 'k', organizationDisplayName: 'Acme' } })",
  },
  {
    name: '@n8n/chat',
    version: '1.37.0',
    file: 'dist/chat.bundle.es.js',
    isModule: true,
    start: "(await import('/peers/@n8n/chat.js')).createChat({ webhookUrl: '/nowhere' })",
  },
]

export interface PeerFile extends Peer {
  source: string
  /** Bytes with gzip at its highest level. */
  gz: number
}

/** Packs the peers into a temporary folder, and returns their files. Nothing of them stays. */
export async function fetchPeers(progress: (text: string) => void): Promise<PeerFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-peers-'))
  try {
    const files: PeerFile[] = []
    for (const peer of PEERS) {
      progress(`fetching ${peer.name}`)
      const place = join(folder, peer.name.replaceAll('/', '-'))
      mkdirSync(place)
      await run('npm', ['pack', '--silent', `${peer.name}@${peer.version}`], { cwd: place })
      const [tarball = ''] = readdirSync(place)
      await run('tar', ['xzf', tarball], { cwd: place })
      const source = readFileSync(join(place, 'package', peer.file), 'utf8')
      files.push({ ...peer, source, gz: gzipSync(source, { level: 9 }).length })
    }
    return files
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Markup that puts a peer on a page, from `/peers/NAME.js` of the page's own origin. */
export const markupOf = ({ name, isModule, start }: PeerFile): string =>
  `<div id="peer"></div>${name === '@n8n/chat' ? '' : `<script src="/peers/${name}.js" ${isModule ? 'type="module"' : ''}></script>`}<script type="module">${start}</script>`
