import type { CitewellApi } from '../loader/citewell-api.ts'

type Handler = (detail: Record<string, unknown>) => void

const modeOf = (tab: string) => (tab === 'search' ? 'search' : 'ai')

/** Kapa's events by ours. They hold what ours hold: no text of questions or answers. */
export function listenAsKapa(api: CitewellApi, type: string, heard: Handler): (() => unknown) | undefined {
  switch (type) {
    case 'onModalOpen':
      return api.on('open', ({ tab }) => heard({ mode: modeOf(tab) }))
    case 'onModalClose':
      return api.on('close', () => heard({}))
    case 'onModeSwitch':
      return api.on('tab', ({ tab }) => heard({ mode: modeOf(tab) }))
    case 'onAskAIQuerySubmit':
      return api.on('ask', () => heard({}))
    case 'onAskAIExampleQuerySubmit':
      return api.on('ask', ({ source }) => {
        if (source === 'suggested') heard({})
      })
    case 'onAskAIAnswerCompleted':
      return api.on('answer', ({ message_id: questionAnswerId }) => heard({ questionAnswerId }))
    case 'onAskAIFeedbackSubmit':
      return api.on('rate', ({ message_id: questionAnswerId, rating }) => {
        if (rating !== 'none') heard({ questionAnswerId, reaction: rating === 'up' ? 'upvote' : 'downvote' })
      })
    case 'onAskAISourceClick':
    case 'onAskAILinkClick':
      return api.on('citation', ({ url }) => heard({ url, link: url }))
    case 'onAskAIAnswerCopy':
      return api.on('copy', () => heard({}))
    case 'onAskAIGenerationStop':
      return api.on('stop', () => heard({}))
    case 'onAskAIConversationReset':
      return api.on('reset', () => heard({}))
    case 'onSearchResultsCompleted':
      return api.on('search', ({ count }) => heard({ count }))
    case 'onSearchResultClick':
      return api.on('search_open', ({ url }) => heard({ url }))
    default:
      return undefined
  }
}
