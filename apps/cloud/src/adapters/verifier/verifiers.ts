import type { Logger } from '../../http/request-log.ts'
import { createChain } from './chain.ts'
import type { Verifier } from './interface.ts'
import { createLocalVerifier } from './local-verifier.ts'
import type { VerifierName, VerifierValues } from './settings.ts'
import type { VlmAccount } from './vlm-account.ts'
import { createVlmVerifier } from './vlm-verifier.ts'

export interface VerifiersDeps {
  readonly log: Logger
  readonly values: VerifierValues
  /** Folder of the installer's own models for the local verifier; null: none. */
  readonly modelos: string | null
  readonly account: VlmAccount
}

/** Each verifier by its name in VIGIA_VERIFICADORES; null: it has no settings. */
const makers: Readonly<Record<VerifierName, (deps: VerifiersDeps) => Verifier | null>> = {
  local: ({ log, modelos }) => createLocalVerifier({ log, modelos }),
  vlm: ({ log, account, values: { vlm } }) => vlm && createVlmVerifier({ log, account, settings: vlm }),
}

/** The verifiers of this installation as one. */
export const createVerifiers = (deps: VerifiersDeps): Verifier =>
  createChain(deps.values.chain.flatMap((name) => makers[name](deps) ?? []))
