import { openApiRuleset, Spectral } from './openapi-ruleset.ts'

/** One finding of a rule, as a line: rule, place, message. */
export async function lintOpenApi(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(openApiRuleset)
  const faults = await spectral.run(structuredClone(document) as Record<string, unknown>)
  return faults.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)
}
