import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'

/** What a WordPiece tokenizer needs to know of its model. */
export interface Vocabulary {
  ids: ReadonlyMap<string, number>
  /** The three special tokens, which represent no text. */
  unknownId: number
  beginId: number
  endId: number
  isLowerCased: boolean
  stripsAccents: boolean
}

/** Only the type of the whole is checked: validating thirty thousand entries takes longer than reading them. */
const Pieces = z.custom<Record<string, number>>((value) => typeof value === 'object' && value !== null)

const TokenizerFile = z.object({
  normalizer: z.object({ lowercase: z.boolean().optional(), strip_accents: z.boolean().nullish() }).nullish(),
  model: z.object({ type: z.literal('WordPiece').optional(), vocab: Pieces }),
})

const TokenizerSettings = z.object({
  do_lower_case: z.boolean().optional(),
  strip_accents: z.boolean().nullish(),
})

/** The text of a file, or undefined if it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function vocabularyOf(
  ids: ReadonlyMap<string, number>,
  casing: { lowercase: boolean | undefined; stripAccents: boolean | null | undefined },
): Vocabulary {
  const idOf = (piece: string) => {
    const id = ids.get(piece)
    if (id === undefined) throw new Error(`The vocabulary has no ${piece}`)
    return id
  }
  const isLowerCased = casing.lowercase ?? true
  return {
    ids,
    unknownId: idOf('[UNK]'),
    beginId: idOf('[CLS]'),
    endId: idOf('[SEP]'),
    isLowerCased,
    // If it is not set, it follows lower-casing, as in the models' own code.
    stripsAccents: casing.stripAccents ?? isLowerCased,
  }
}

/**
 * Reads the vocabulary of a model folder: `tokenizer.json`, or else `vocab.txt` (one token per line) with `tokenizer_config.json`.
 *
 * @throws when neither exists, or it is not a WordPiece tokenizer.
 */
export async function readVocabulary(folder: string): Promise<Vocabulary> {
  const tokenizer = await readIfExists(join(folder, 'tokenizer.json'))
  if (tokenizer !== undefined) {
    const parsed = TokenizerFile.safeParse(parseJson(tokenizer))
    if (!parsed.success) throw new Error(`${join(folder, 'tokenizer.json')} is not a WordPiece tokenizer`)
    const { model, normalizer } = parsed.data
    return vocabularyOf(new Map(Object.entries(model.vocab)), {
      lowercase: normalizer?.lowercase,
      stripAccents: normalizer?.strip_accents,
    })
  }
  const list = await readIfExists(join(folder, 'vocab.txt'))
  if (list === undefined) throw new Error(`There is neither tokenizer.json nor vocab.txt in ${folder}`)
  const pieces = list.replace(/\r?\n$/, '').split(/\r?\n/)
  const settings = TokenizerSettings.safeParse(
    parseJson((await readIfExists(join(folder, 'tokenizer_config.json'))) ?? '{}'),
  )
  return vocabularyOf(new Map(pieces.map((piece, id) => [piece, id])), {
    lowercase: settings.data?.do_lower_case,
    stripAccents: settings.data?.strip_accents,
  })
}
