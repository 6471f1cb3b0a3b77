import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const CONFIG = {
  sha1: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  sha256: '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n',
}

/** Makes a folder an empty bare repository, as `git init` does. It is a few files: no process has to be started for them. */
export async function initRepository(
  folder: string,
  { head = 'refs/heads/main', format = 'sha1' }: { head?: string; format?: keyof typeof CONFIG } = {},
): Promise<void> {
  await mkdir(join(folder, 'objects', 'pack'), { recursive: true })
  await mkdir(join(folder, 'refs'), { recursive: true })
  await writeFile(join(folder, 'config'), CONFIG[format])
  await writeFile(join(folder, 'HEAD'), head.startsWith('refs/') ? `ref: ${head}\n` : `${head}\n`)
}
