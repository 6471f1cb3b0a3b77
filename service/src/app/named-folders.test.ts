import { verifies } from '@citewell/spec/verifies'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { openTestStorage } from '../../test/test-storage.ts'
import { nameFolder, readNamedFolders } from './named-folders.ts'
import { readSettings } from './settings.ts'
import { startService } from './start-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'citewell-named-'))
const dataDirectory = mkdtempSync(join(tmpdir(), 'citewell-data-'))
afterAll(() => {
  for (const one of [folder, dataDirectory]) rmSync(one, { recursive: true })
})

verifies(
  'running.named-folders',
  'a folder that was named on the command line is read by citewell up, also at later starts, and by no service for others',
  async () => {
    writeFileSync(join(folder, 'page.md'), '# Keys\n\nThey rotate.')
    const settings = readSettings({ CITEWELL_DATA_DIR: dataDirectory, CITEWELL_LOG_LEVEL: 'silent' })
    const previewOf = async (readsNamedFolders: boolean) => {
      const storage = await openTestStorage()
      const service = await startService(settings, {
        listens: false,
        works: false,
        readsNamedFolders,
        storage,
      })
      const send = async (path: string, body: unknown) =>
        await service.fetch(
          new Request(`http://localhost/api/v1/knowledge-bases${path}`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${service.operatorToken}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify(body),
          }),
        )
      try {
        const base = (await (await send('', { name: 'Acme docs' })).json()) as { id: string }
        return (await send(`/${base.id}/sources/preview`, { type: 'repository', config: { url: folder } }))
          .status
      } finally {
        await service.close()
      }
    }
    expect(readNamedFolders(dataDirectory)).toEqual([])
    nameFolder(dataDirectory, folder)
    nameFolder(dataDirectory, folder)
    expect(readNamedFolders(dataDirectory)).toEqual([folder])
    expect(await previewOf(true)).toBe(200)
    expect(await previewOf(false)).toBe(400)
  },
)
