import { Lexer, type Token, type Tokens } from 'marked'
import { splitText, type Part } from './split-text.ts'

/** A block of an answer: a token of the parser, or a text that it has not seen. `raw` is the text it was made of. */
export type Block =
  | { type: 'plain'; raw: string; text: string }
  | { type: 'code'; raw: string; text: string; lang: string }
  | { type: 'token'; raw: string; token: Token }

function lex(text: string): Block[] {
  try {
    const lexer = new Lexer({ gfm: true, async: false })
    const tokens = lexer.blockTokens(text, lexer.tokens)
    // `[1]` is a citation. A text that defines it as a link would send readers elsewhere.
    for (const name of Object.keys(lexer.tokens.links))
      if (/^\d+$/.test(name)) delete lexer.tokens.links[name]
    for (const { src, tokens: inline } of lexer.inlineQueue) lexer.inlineTokens(src, inline)
    lexer.inlineQueue = []
    return tokens
      .filter(({ type }) => type !== 'space' && type !== 'def')
      .map((token) =>
        token.type === 'code'
          ? {
              type: 'code',
              raw: token.raw,
              text: (token as Tokens.Code).text,
              lang: langOf(token as Tokens.Code),
            }
          : { type: 'token', raw: token.raw, token },
      )
  } catch {
    // The parser gave up, for example for want of stack.
    return [{ type: 'plain', raw: text, text }]
  }
}

export const langOf = ({ lang = '' }: Tokens.Code): string => /^[\w+#.-]{1,30}/.exec(lang)?.[0] ?? ''

function blocksOf(part: Part): Block[] {
  if (part.kind === 'markdown') return lex(part.text)
  const raw = part.text
  return part.kind === 'code'
    ? [{ type: 'code', raw, text: raw, lang: part.lang }]
    : [{ type: 'plain', raw, text: raw }]
}

/** The blocks of a text. Never throws, whatever the text. */
export const parseBlocks = (text: string): Block[] => splitText(text).flatMap(blocksOf)
