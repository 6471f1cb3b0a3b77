import type { Kysely } from 'kysely'
import type { AccountsTables } from './accounts-tables.ts'
import type { AnswersTables } from './answers-tables.ts'
import type { ChannelsTables } from './channels-tables.ts'
import type { ContentTables } from './content-tables.ts'
import type { IntegrationsTables } from './integrations-tables.ts'
import type { OAuthTables } from './oauth-tables.ts'
import type { PlatformTables } from './platform-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'

/** All tables, by the floor of the rooms that own them. */
export type Tables = AccountsTables &
  SignInTables &
  ContentTables &
  AnswersTables &
  ChannelsTables &
  IntegrationsTables &
  OAuthTables &
  PlatformTables

/** A database handle limited to the tables it names: the type of a store shows which tables it uses. */
export type Db<Names extends keyof Tables> = Kysely<Pick<Tables, Names>>
