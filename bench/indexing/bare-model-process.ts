/** The embedding model alone, in its own process. */
import { openBareModel, type StoredPassage } from '../../service/test/open-bare-model.ts'
import { answerParent } from '../processes/child.ts'

const WARM_UP = 50

export interface BareModelRate {
  perSecond: number
  /** CPU time per passage. */
  processorMs: number
}

answerParent({
  /** Embeds these passages one after the other. */
  rate: async ({ passages }: { passages: StoredPassage[] }): Promise<BareModelRate> => {
    const model = await openBareModel()
    for (const passage of passages.slice(0, WARM_UP)) await model.embed(passage, 'en')
    const began = performance.now()
    const used = process.cpuUsage()
    for (const passage of passages) await model.embed(passage, 'en')
    const { user, system } = process.cpuUsage(used)
    return {
      perSecond: (passages.length / (performance.now() - began)) * 1_000,
      processorMs: (user + system) / 1_000 / passages.length,
    }
  },
})
