import { driveAnswers, type DriveState, type StandInFile } from './google-drive-answers.ts'
import { startGoogleTokens } from './google-tokens-stand-in.ts'
import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn } from './stand-in-server.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const SHORTCUT = 'application/vnd.google-apps.shortcut'
export const ROOT = 'root-folder-000'
export const SHARED_DRIVE = 'shared-drive-000'
/** A folder that no source reads. */
const ELSEWHERE = 'elsewhere-00000'

/**
 * A Google Drive with a folder in an account's own drive and a shared drive, read by a service account. Its change log names a folder
 * whose readers or place changed, and not what is in it. One folder has a shortcut to the folder that it is in.
 */
export async function startGoogleDrive(given: { pageSize?: number } = {}) {
  const state: DriveState = {
    files: new Map(),
    log: [],
    restrictions: {},
    isSharedWithAccount: () => true,
    foreignDrives: new Set(),
    pageSize: given.pageSize ?? 100,
    acceptsToken: (token) => tokens.isValid(token),
    oldestToken: 0,
  }
  const tokens = await startGoogleTokens()
  const server = await startStandIn((request) => driveAnswers(state, request))

  let made = 0
  let clock = Date.parse('2026-01-05T00:00:00Z')
  const touch = (file: StandInFile) => {
    clock += 61_000
    file.modifiedTime = new Date(clock).toISOString()
    state.log.push(file.id)
  }
  function put(
    file: Partial<StandInFile> & Pick<StandInFile, 'id' | 'name' | 'mimeType' | 'parent'>,
  ): StandInFile {
    const entry: StandInFile = {
      word: '',
      isTrashed: false,
      isForAnyone: false,
      driveId: state.files.get(file.parent)?.driveId,
      modifiedTime: '',
      ...file,
    }
    state.files.set(entry.id, entry)
    touch(entry)
    return entry
  }
  put({ id: ROOT, name: 'Help', mimeType: FOLDER, parent: '' })
  put({ id: ELSEWHERE, name: 'Private', mimeType: FOLDER, parent: '' })
  put({ id: SHARED_DRIVE, name: 'Drive', mimeType: FOLDER, parent: '', driveId: SHARED_DRIVE })
  const folders = [ROOT, SHARED_DRIVE]
  for (const [at, parent] of [ROOT, ROOT, SHARED_DRIVE].entries()) {
    const { id } = put({ id: `folder-0000000${at}`, name: `Folder ${at}`, mimeType: FOLDER, parent })
    folders.push(id)
  }
  put({ id: 'shortcut-loop-0', name: 'Back', mimeType: SHORTCUT, parent: 'folder-00000001', target: ROOT })
  put({ id: 'shortcut-dead-0', name: 'Dead', mimeType: SHORTCUT, parent: ROOT, target: 'nothing-is-there' })

  /** Whether it is below what is read, and not in the bin. */
  function isRead(file: StandInFile): boolean {
    const visited = new Set<string>()
    for (let at: StandInFile | undefined = file; at !== undefined; at = state.files.get(at.parent)) {
      if (at.isTrashed || visited.has(at.id)) return false
      visited.add(at.id)
      if (at.id === ROOT || at.id === SHARED_DRIVE) return true
    }
    return false
  }
  const isOpen = (file: StandInFile) => {
    const { domainUsersOnly = false, driveMembersOnly = false } = state.restrictions
    if (file.driveId !== undefined && (domainUsersOnly || driveMembersOnly)) return false
    for (let at: StandInFile | undefined = file; at !== undefined; at = state.files.get(at.parent))
      if (at.isForAnyone) return true
    return false
  }

  const TYPES = [
    ['application/vnd.google-apps.document', ''],
    ['application/vnd.google-apps.spreadsheet', ''],
    ['application/vnd.google-apps.presentation', ''],
    ['text/markdown', '.md'],
    ['text/html', '.html'],
  ] as const
  const word = () => `sheet${(made += 1)}x`
  function add(random: Random): StandInFile {
    const [mimeType, ending] = random.of(TYPES)
    return put({
      id: `file-${String((made += 1)).padStart(8, '0')}`,
      name: `${random.words(2)}${ending}`,
      mimeType,
      parent: random.of(folders),
      word: word(),
      isForAnyone: random.below(2) === 0,
    })
  }
  const documents = () => [...state.files.values()].filter((file) => file.word !== '')
  const changes: Record<string, (file: StandInFile, random: Random) => void> = {
    edit: (file) => {
      file.word = word()
      touch(file)
    },
    rename: (file, random) => {
      file.name = `${random.words(2)} <b>${file.name.includes('.') ? '.md' : ''}`
      touch(file)
    },
    move: (file, random) => {
      file.parent = random.of([...folders, ELSEWHERE])
      file.driveId = state.files.get(file.parent)?.driveId
      state.log.push(file.id)
    },
    // Sharing does not change when it was modified.
    open: (file) => {
      file.isForAnyone = true
      state.log.push(file.id)
    },
    close: (file) => {
      file.isForAnyone = false
      state.log.push(file.id)
    },
    trash: (file) => {
      file.isTrashed = true
      state.log.push(file.id)
    },
    restore: (file) => {
      file.isTrashed = false
      state.log.push(file.id)
    },
    delete: (file) => {
      state.files.delete(file.id)
      state.log.push(file.id)
    },
  }
  const ofFolders: Record<string, (folder: StandInFile, random: Random) => void> = {
    'open folder': changes['open'] ?? touch,
    'close folder': changes['close'] ?? touch,
    'trash folder': changes['trash'] ?? touch,
    'restore folder': changes['restore'] ?? touch,
    'restrict drive': (folder) => {
      state.restrictions = { domainUsersOnly: state.restrictions.domainUsersOnly !== true }
      state.log.push(folder.id)
    },
  }

  const model: SourceModel = {
    type: 'google_drive',
    config: {
      folders: [`https://drive.google.com/drive/folders/${ROOT}?usp=sharing`, SHARED_DRIVE],
    },
    credentials: { token: tokens.key },
    server,
    hosts: { 'oauth2.googleapis.com': tokens.server.origin },
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      for (const file of documents()) {
        if (isRead(file)) found.set(file.id, { text: file.word, isRestricted: !isOpen(file) })
      }
      return found
    },
    add: (random) => void add(random),
    change: (random) => {
      const kind = random.of(['add', 'edit', ...Object.keys(changes), random.of(Object.keys(ofFolders))])
      const ofFolder = ofFolders[kind]
      if (ofFolder !== undefined) {
        const folder = state.files.get(random.of(folders.slice(2)))
        if (folder !== undefined) ofFolder(folder, random)
        return `${kind} ${folder?.id}`
      }
      const change = changes[kind]
      const all = documents()
      if (all.length === 0 || change === undefined) return `add ${add(random).id}`
      const file = random.of(all)
      change(file, random)
      return `${kind} ${file.id}`
    },
    hideMost: () => {
      const shown = new Set(
        documents()
          .map(({ id }) => id)
          .filter((_id, at) => at % 4 === 0),
      )
      state.isSharedWithAccount = (file) => file.word === '' || shown.has(file.id)
      const log = (file: StandInFile) => void state.log.push(file.id)
      for (const file of documents()) log(file)
      return () => {
        state.isSharedWithAccount = () => true
        for (const file of documents()) log(file)
      }
    },
  }
  const stop = async () => {
    await Promise.all([server, tokens.server].map((one) => one[Symbol.asyncDispose]()))
  }
  return { model, server, tokens, state, put, add, touch, [Symbol.asyncDispose]: stop }
}
