import type { Kysely } from 'kysely'
import type { AccountsTables } from './accounts-tables.ts'
import type { AnswersTables } from './answers-tables.ts'
import type { ChannelsTables } from './channels-tables.ts'
import type { ContentTables } from './content-tables.ts'
import type { IntegrationsTables } from './integrations-tables.ts'
import type { OAuthTables } from './oauth-tables.ts'
import type { PlatformTables } from './platform-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'

/** Every table, by the floor whose rooms keep it. */
export type Tables = AccountsTables &
  SignInTables &
  ContentTables &
  AnswersTables &
  ChannelsTables &
  IntegrationsTables &
  OAuthTables &
  PlatformTables

/** A handle that can only see the tables it names: what a store touches is in its type. */
export type Db<Names extends keyof Tables> = Kysely<Pick<Tables, Names>>
