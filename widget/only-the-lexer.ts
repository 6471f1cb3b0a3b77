/**
 * The parser library comes as one file whose last part makes an instance of everything: with it, a bundle that needs the lexer alone
 * has the renderer, the parser and the hooks too, 6 kB with gzip. This leaves that part out.
 *
 * @throws Error if a new version of the library is written differently
 */
export const onlyTheLexer = {
  name: 'only-the-lexer',
  transform(code: string, id: string): { code: string; map: null } | undefined {
    if (!/[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/.test(id)) return undefined
    const start = /var (\w+)=new \w+;function \w+\(\w,\w\)\{return \1\.parse\(/.exec(code)
    const lexer = /export\{[^}]*?(\w+) as Lexer\b/.exec(code)?.[1]
    if (start === null || lexer === undefined)
      throw new Error('marked is written differently now: see only-the-lexer.ts.')
    const kept = code
      .slice(0, start.index)
      // What the widget never switches on or off, so that the code for the other case goes.
      .replaceAll('this.options.pedantic', 'false')
      .replaceAll('this.options.gfm', 'true')
      .replaceAll('this.options.breaks', 'false')
      .replaceAll('this.options.extensions', 'undefined')
      .replaceAll('this.options.hooks', 'undefined')
    return { code: `${kept}export{${lexer} as Lexer};`, map: null }
  },
}
