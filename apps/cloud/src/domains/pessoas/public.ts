// The names that other domains may use of `pessoas`.
export type { Fator } from './segundo-fator/check-factor.ts'
export { codePage } from './segundo-fator/code-page.ts'
export { mustEnrol, requireEnrolled } from './segundo-fator/requirement.ts'
export {
  type CheckPasswordDeps,
  type CodeWanted,
  checkPasswordOfForm,
  checkTicket,
  wrongPassword,
} from './sessoes/check-password.ts'
export { fingerprint } from './usuarios/fingerprint.ts'
