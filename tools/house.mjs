import { dirname, relative, resolve } from 'node:path'

const FLOORS = ['kernel', 'platform', 'accounts', 'content', 'answers', 'channels', 'app']
const HOUSE = resolve(import.meta.dirname, '../service/src')

const place = (file) => {
  const parts = relative(HOUSE, file).split('/')
  const room = parts.length > 2 ? parts[1] : undefined // kernel and app keep their files flat
  return { floor: parts[0], rank: FLOORS.indexOf(parts[0]), room, file: parts.slice(room ? 2 : 1).join('/') }
}

/** Returns what is wrong with `from` importing `to`, or nothing. */
export const judge = (from, to) => {
  const here = place(from)
  const there = place(to)
  if (here.rank < 0 || there.rank < 0) return undefined
  if (there.rank > here.rank) return `${here.floor} may not import ${there.floor}: imports only go down`
  if (here.floor === there.floor && here.room === there.room) return undefined
  // Only the composition imports routes and gates of rooms; no floor above channels but app exists.
  if (here.floor === 'app' && (there.floor === 'channels' || /-(routes|room|gate)\.ts$/.test(there.file)))
    return undefined
  const hasDoor = there.room && there.rank > FLOORS.indexOf('platform') // below are tools, imported by file
  if (hasDoor && there.file !== `${there.room}.ts`)
    return `enter ${there.floor}/${there.room} by its door ${there.room}.ts`
  return undefined
}

const floors = {
  create(context) {
    const check = (node) => {
      const target = node.source?.value
      if (typeof target !== 'string' || !target.startsWith('.')) return
      const complaint = judge(context.filename, resolve(dirname(context.filename), target))
      if (complaint) context.report({ node: node.source, message: complaint })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

export default { meta: { name: 'house' }, rules: { floors } }
