import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { PublicCaller } from './public-caller.ts'
import type { Captcha } from '../captcha/captcha.ts'

const endpoint = endpointsFor<'public-key', PublicCaller>()

export const captchaRoutes = (captcha: Pick<Captcha, 'issueChallenge'>) => [
  endpoint(ENDPOINTS.getCaptchaChallenge, ({ caller, query }) =>
    captcha.issueChallenge(caller.clientKey.clientKeyId, query.action),
  ),
]
