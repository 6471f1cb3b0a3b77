export {
  createOutsideProvider,
  type OutsideIdentity,
  type OutsideLogin,
  type OutsideProvider,
  type OutsideProviderSettings,
} from './outside-provider.ts'
