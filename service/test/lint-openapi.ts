import { openApiRuleset, Spectral } from './openapi-ruleset.ts'

/** One thing that a rule finds wrong, as a line: rule, place, words. */
export async function lintOpenApi(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(openApiRuleset)
  const faults = await spectral.run(structuredClone(document) as Record<string, unknown>)
  return faults.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)
}
