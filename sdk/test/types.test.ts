import type { Citation } from '@citewell/contract/chat'
import type { ENDPOINTS } from '@citewell/contract/endpoints'
import type { StreamError } from '@citewell/contract/errors'
import type { FormDeflectFrame } from '@citewell/contract/form-deflectors'
import type { ANSWER_FAILURES } from '@citewell/contract/refusals'
import type { z } from 'zod'
import { expectTypeOf, test } from 'vitest'
import type { DeflectionDone } from '../src/answer-frames.ts'
import type { ErrorCode } from '../src/citewell-error.ts'
import type { CaptchaAction } from '../src/client-options.ts'
import type { ManagementApi } from '../src/management-api.ts'
import type * as records from '../src/records.ts'
import type { ROUTES } from '../src/routes.ts'
import type { Outside } from '../src/wire-names.ts'

type Endpoints = typeof ENDPOINTS
type Operation = keyof ManagementApi & keyof Endpoints

type BodyOf<Name extends Operation> = Endpoints[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined
type AnswerOf<Name extends keyof Endpoints> = Endpoints[Name]['answer'] extends {
  events: infer Events extends z.ZodType
}
  ? Exclude<z.output<Events>, z.output<typeof StreamError>>
  : Endpoints[Name]['answer'] extends { body: infer Body extends z.ZodType }
    ? z.output<Body>
    : Endpoints[Name]['answer'] extends { text: string }
      ? string
      : undefined

/** Assignable in both directions. */
type IsSame<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false

type ResultOf<Method extends (...args: never[]) => unknown> =
  ReturnType<Method> extends Promise<infer Answer>
    ? Answer extends void
      ? undefined
      : Answer
    : ReturnType<Method> extends AsyncGenerator<infer Frame>
      ? Frame
      : 'neither a promise nor a stream'

/** The arguments behind the ids. */
type WithoutIds<Args extends readonly unknown[]> = Args extends [string, ...infer Rest]
  ? WithoutIds<Rest>
  : Args

type WrongAnswer = {
  [Name in Operation]: IsSame<ResultOf<ManagementApi[Name]>, AnswerOf<Name>> extends true ? never : Name
}[Operation]

type WrongBody = {
  [Name in Operation]: BodyOf<Name> extends undefined
    ? never
    : IsSame<
          Exclude<WithoutIds<Required<Parameters<ManagementApi[Name]>>>[0], undefined>,
          BodyOf<Name>
        > extends true
      ? never
      : Name
}[Operation]

test('the plain types of the management API are those of the schemas', () => {
  expectTypeOf<keyof ManagementApi>().toEqualTypeOf<keyof typeof ROUTES>()
  expectTypeOf<WrongAnswer>().toEqualTypeOf<never>()
  expectTypeOf<WrongBody>().toEqualTypeOf<never>()
})

test('the plain types of the client are those of the schemas', () => {
  expectTypeOf<records.Citation>().toEqualTypeOf<Outside<Citation>>()
  expectTypeOf<records.SearchResults>().toEqualTypeOf<Outside<AnswerOf<'search'>>>()
  expectTypeOf<records.RelatedArticles>().toEqualTypeOf<Outside<AnswerOf<'findRelated'>>>()
  expectTypeOf<records.Feedback>().toEqualTypeOf<Outside<AnswerOf<'giveFeedback'>>>()
  expectTypeOf<records.WidgetConfig>().toEqualTypeOf<Outside<AnswerOf<'getWidgetConfig'>>>()
  expectTypeOf<records.SavedWidgetConfig>().toEqualTypeOf<Outside<AnswerOf<'getSavedWidgetConfig'>>>()
  type LastFrame = Extract<z.output<typeof FormDeflectFrame>, { done: true }>
  expectTypeOf<Omit<DeflectionDone, 'type' | 'text'>>().toEqualTypeOf<Omit<Outside<LastFrame>, 'done'>>()
  expectTypeOf<ErrorCode>().toEqualTypeOf<keyof typeof ANSWER_FAILURES>()
  type Captcha<Name> = Name extends { captcha: infer Action } ? Action : never
  expectTypeOf<CaptchaAction>().toEqualTypeOf<Captcha<Endpoints[keyof Endpoints]>>()
})
