/** The proof of work, fetched when a reader is about to ask and the key needs it. */
export { createAltcha } from '@citewell/sdk/captcha'
