import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'

/** Result of one call. */
interface VlmCall {
  /** null: a usable answer. */
  readonly erro: ErroVerificadorExterno | null
  readonly tokensEntrada: number
  readonly tokensSaida: number
}

/** A counted call. */
interface VlmReservation {
  settle(call: VlmCall): Promise<void>
}

/** `desligado`: the Empresa did not accept this server. `esgotado`: its calls of the month are used up. */
type VlmRefusal = 'desligado' | 'esgotado'

/** Consent and budget of the Empresas. */
export interface VlmAccount {
  /** null: a call would be allowed now. */
  refusal(empresaId: number): Promise<VlmRefusal | null>
  /** Counts one call before it is made; other processes count in the same way. */
  reserve(empresaId: number): Promise<VlmReservation | VlmRefusal>
}
