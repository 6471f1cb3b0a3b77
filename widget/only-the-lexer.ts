import { parseSync, type Plugin } from 'vite'

/** A piece of a source, by its place. */
interface Piece {
  start: number
  end: number
}

/** A variable of the module, with what it is set to. */
interface Variable {
  name: string
  value: Piece & { type: string; properties?: (Piece & { key?: { name?: string } })[] }
}

function variablesOf(code: string): Variable[] {
  return parseSync('marked.js', code).program.body.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? statement.declarations.flatMap(({ id, init }) =>
          id.type === 'Identifier' && init !== null
            ? [{ name: id.name, value: init as unknown as Variable['value'] }]
            : [],
        )
      : [],
  )
}

/** Puts a text in the place of each piece. */
const replacePieces = (code: string, pieces: readonly Piece[], text: string): string =>
  pieces
    .toSorted((one, other) => other.start - one.start)
    .reduce((left, { start, end }) => left.slice(0, start) + text + left.slice(end), code)

/** Whether a name stands anywhere but where it is set. */
const isUsed = (code: string, name: string) =>
  code.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$&')}(?![\\w$])`)).length > 2

/** Leaves out the rules of other dialects, as often as something has become unused by it. */
function withoutUnusedRules(code: string): string {
  const unused = variablesOf(code).filter(
    ({ name, value }) =>
      !isUsed(code, name) && ['CallExpression', 'ObjectExpression', 'Literal'].includes(value.type),
  )
  const left = replacePieces(
    code,
    unused.filter(({ value }) => value.type !== 'Literal').map(({ value }) => value),
    '0',
  )
  return left === code ? code : withoutUnusedRules(left)
}

/** Leaves out of an object what is not read by its name anywhere. */
function withoutProperties(code: string, variable: string, isLeftOut: (name: string) => boolean): string {
  const { value } = variablesOf(code).find(({ name }) => name === variable) ?? {}
  const pieces = (value?.properties ?? []).filter(({ key }) => key?.name !== undefined && isLeftOut(key.name))
  return replacePieces(code, pieces, '_:0')
}

const propertiesOf = (code: string, variable: string) =>
  (variablesOf(code).find(({ name }) => name === variable)?.value.properties ?? []).flatMap(({ key }) =>
    key?.name === undefined ? [] : [key.name],
  )

/** @throws Error if a new version of the library is written differently */
function lexerOf(code: string): string {
  const start = /var (\w+)=new \w+;function \w+\(\w,\w\)\{return \1\.parse\(/.exec(code)
  const lexer = /export\{[^}]*?(\w+) as Lexer\b/.exec(code)?.[1]
  const dialects = [...code.matchAll(/\{normal:(\w+),gfm:(\w+)(?:,\w+:\w+)+\}/g)]
  const others = /(\w+)=\{codeRemoveIndent:/.exec(code)?.[1]
  if (start === null || lexer === undefined || dialects.length !== 2 || others === undefined)
    throw new Error('marked is written differently now: see only-the-lexer.ts.')
  let kept = `${code.slice(0, start.index)}export{${lexer} as Lexer};`
    // What the widget never switches on or off, so that the code for the other case goes.
    .replaceAll('this.options.pedantic', 'false')
    .replaceAll('this.options.gfm', 'true')
    .replaceAll('this.options.breaks', 'false')
    .replaceAll('this.options.extensions', 'undefined')
    .replaceAll('this.options.hooks', 'undefined')
  for (const [all, normal = '', gfm = ''] of dialects) {
    kept = kept.replace(all, `{normal:${gfm},gfm:${gfm}}`)
    const own = propertiesOf(kept, gfm)
    kept = withoutProperties(kept, normal, (name) => own.includes(name))
  }
  const program = kept
  return withoutUnusedRules(withoutProperties(kept, others, (name) => !program.includes(`.${name}`)))
}

/**
 * The parser library comes as one file whose last part makes an instance of everything: with it, a bundle that needs the lexer alone has
 * the renderer, the parser and the hooks too, 6 kB with gzip; and it makes the rules of dialects that are never read. This leaves both out.
 */
export const onlyTheLexer: Plugin = {
  name: 'only-the-lexer',
  transform: (code, id) =>
    /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/.test(id) ? { code: lexerOf(code), map: null } : undefined,
}
