import { Lexer } from 'marked'

/** Replaced by the renderer in the next commits. */
export const lex = (text: string) => new Lexer().lex(text)
