/** Where the quotation of an earlier message begins: what follows is not the writer's. */
const QUOTATIONS = [
  // bounded: at most 500 characters
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)/i,
  // bounded: at most 500 characters
  /^on .{5,200} wrote:$/i,
  // bounded: at most 500 characters
  /^am .{5,200} schrieb .{1,200}:$/i,
  // bounded: at most 500 characters
  /^le .{5,200} a écrit ?:$/i,
  // bounded: at most 500 characters
  /^el .{5,200} escribió:$/i,
  // bounded: at most 500 characters
  /^_{10,}$/,
]

/** What a mail program writes below a mail, instead of a signature. */
const PROGRAM_SIGNATURE =
  // bounded: at most 500 characters
  /^(?:sent from my |sent from outlook|get outlook for |von meinem .{2,40} gesendet|envoyé de mon |enviado desde mi )/i

const HEADER_OF_QUOTED = /^\*?(?:from|von|de|da):\*?\s/i
const HEADERS_BELOW =
  /^\*?(?:sent|date|gesendet|datum|envoyé|enviado|to|an|à|para|subject|betreff|objet|asunto):/i

const MAX_LINE = 500

/** Whether a quotation begins in a line: programs break the line above it in two, and some quote with a head instead. */
function beginsQuotation(lines: readonly string[], at: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(at, at + 3).map((each) => each.trim())
  if (line.length > MAX_LINE || next.length > MAX_LINE) return false
  if (QUOTATIONS.some((begins) => begins.test(line) || begins.test(`${line} ${next}`.slice(0, MAX_LINE))))
    return true
  return HEADER_OF_QUOTED.test(line) && HEADERS_BELOW.test(next) && HEADERS_BELOW.test(third)
}

/** What someone wrote themselves in a mail: without quoted lines, quoted messages and the signature. */
export function ownWords(text: string): string {
  const kept: string[] = []
  const lines = text.split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim()
    const isSignature =
      line.trimEnd() === '--' || (trimmed.length <= MAX_LINE && PROGRAM_SIGNATURE.test(trimmed))
    if (isSignature || beginsQuotation(lines, at)) break
    if (!trimmed.startsWith('>')) kept.push(line)
  }
  return kept.join('\n').trim()
}
