import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { LIMITS } from '@citewell/contract/limits'
import { CommandFailure, EXIT } from './command.ts'

export interface NewSource {
  /** Name of the knowledge base and of its first source. */
  name: string
  type: 'website' | 'repository' | 'openapi'
  config: Record<string, unknown>
}

const isGitAddress = (text: string) =>
  /^(git@|ssh:\/\/|git:\/\/)/.test(text) || /\.(git|bundle)\/?$/.test(text)
const isOpenApi = (text: string) =>
  /\.(json|ya?ml)$/i.test(text) && /openapi|swagger/i.test(text.slice(text.lastIndexOf('/') + 1))

/** What a source reads of this machine's disk. */
export function localPathsOf({ config }: NewSource): string[] {
  const { url } = config
  return typeof url === 'string' && isAbsolute(url) ? [url] : []
}

/** What a person means by a word on the command line: a folder, a git address, an API description, or a website. */
export function sourceOfArgument(argument: string): NewSource {
  const source = meantBy(argument)
  const { min, max } = LIMITS.knowledgeBaseName
  const name = source.name.length < min ? argument : source.name
  return { ...source, name: name.slice(0, max).padEnd(min, '-') }
}

function meantBy(argument: string): NewSource {
  if (argument.trim() === '') throw new CommandFailure(EXIT.usage, 'The address is empty.')
  const local = resolve(argument)
  if (existsSync(local) && !/^https?:/.test(argument)) {
    if (isOpenApi(local)) return { name: basename(local), type: 'openapi', config: { url: local } }
    if (statSync(local).isDirectory() || isGitAddress(local))
      return {
        name: basename(local).replace(/\.(git|bundle)$/, ''),
        type: 'repository',
        config: { url: local },
      }
    throw new CommandFailure(EXIT.usage, `${argument} is a single file. Give its folder instead.`)
  }
  if (isGitAddress(argument))
    return {
      name: basename(argument).replace(/\.git\/?$/, ''),
      type: 'repository',
      config: { url: argument },
    }
  const url = URL.parse(argument.includes('://') ? argument : `https://${argument}`)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    (!argument.includes('://') && !url.hostname.includes('.'))
  ) {
    throw new CommandFailure(
      EXIT.usage,
      `"${argument}" is neither a folder here nor an address. Give the address of a docs site, a folder, or a git address.`,
    )
  }
  if (isOpenApi(url.pathname)) return { name: url.hostname, type: 'openapi', config: { url: url.href } }
  return { name: url.host, type: 'website', config: { start_urls: [url.href] } }
}
