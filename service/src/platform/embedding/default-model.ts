import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLocalModel, type LocalModel } from './local-model.ts'

/** SHA-256 of the weights that the service was measured with; `model/MODEL_CARD.md` names it too. */
const WEIGHTS_HASH = 'fd93bc3319864ddcb96d4272ede668744cb8048fc0eea046c202a4254e2421b1'

/** Whether a model is the built-in one, by its weights. */
export const isDefaultModel = ({ weightsHash }: Pick<LocalModel, 'weightsHash'>): boolean =>
  weightsHash === WEIGHTS_HASH

const defaultFolder = () =>
  dirname(fileURLToPath(import.meta.resolve('@citewell/model/all-MiniLM-L6-v2/config.json')))

/**
 * The built-in model, all-MiniLM-L6-v2: English, 384 dimensions.
 *
 * @throws when its files are missing or damaged.
 */
export async function readDefaultModel(folder = defaultFolder()): Promise<LocalModel> {
  const model = await readLocalModel(folder)
  if (!isDefaultModel(model))
    throw new Error(`${model.modelFile} is damaged: its SHA-256 is ${model.weightsHash}`)
  return { ...model, language: 'en' }
}
