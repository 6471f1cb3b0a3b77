import { delimiter, isAbsolute, resolve, sep } from 'node:path'
import { z } from 'zod'

const KERNEL_FOLDERS = ['/proc', '/sys', '/dev']

/** What is wrong with a folder of the list, in words; undefined where nothing is. */
function faultOf(path: string): string | undefined {
  const named = JSON.stringify(path)
  if (path.startsWith('~')) return `${named}: write the whole path, ~ is not replaced here`
  if (!isAbsolute(path) || /^[\\/]{2}/.test(path)) return `${named} must be a full path, such as /srv/docs`
  // eslint-disable-next-line no-control-regex -- exactly these are refused
  if (/[\u0000-\u001f\u007f]/.test(path)) return `${named} has control characters in it`
  const isKernel = KERNEL_FOLDERS.some(
    (folder) => resolve(path) === folder || resolve(path).startsWith(folder + sep),
  )
  return isKernel ? `${named} is never read` : undefined
}

/** Folders separated by commas or, as in PATH, by colons (on Windows semicolons). */
const paths = z
  .string()
  .default('')
  .transform((text, context) => {
    const found = text
      .split(new RegExp(`[,${delimiter}]`))
      .map((path) => path.trim())
      .filter((path) => path !== '')
    for (const fault of found.map((path) => faultOf(path))) {
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    }
    return found.map((path) => resolve(path))
  })

export const localPathsEnvironment = {
  CITEWELL_LOCAL_PATHS: paths,
  CITEWELL_ALLOW_LOCAL_PATHS: z
    .string()
    .optional()
    .refine((text) => text === undefined || text === '' || text === 'false', {
      error:
        'is gone: list the folders that sources may read in CITEWELL_LOCAL_PATHS=/srv/docs,/srv/handbook',
    }),
}
