import { causaText } from '@vigia/contracts/causa-text'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { failureText, portText, refusedCall, silentCall } from '@vigia/contracts/pedido-failures'
import { type AllowedCidrs, judgeHost } from '@vigia/rtsp/address-policy'
import type { RateLimit } from '../../../../adapters/rate-limits/interface.ts'
import { type Caller, callerKey } from '../../../../http/caller.ts'
import type { AskEdge, EdgeFailure } from './ask-edge.ts'

/** Dependencies of every probe of a device. */
export interface Probing {
  readonly askEdge: AskEdge
  readonly limit: RateLimit
  /** Pictures of canais that no camera reads yet. */
  readonly pictureLimit: RateLimit
  /** Networks that VIGIA_SONDAGEM_PERMITIR exempts from the address policy. */
  readonly allowed: AllowedCidrs
}

/**
 * Refuses an address that must not be probed; call it first. The edge that resolves a host name checks its addresses.
 * @throws VigiaError `validacao` on the host.
 */
export function requireProbeable(host: string, allowed: AllowedCidrs): void {
  if (judgeHost(host, allowed).kind === 'recusado') throw invalid(['body', 'host'], failureText.endereco_recusado)
}

/**
 * Counts a probe against the rate limits of the login and of the Empresa (null: probe of the operator).
 * @throws VigiaError `muitas_requisicoes`.
 */
export async function countProbe(limit: RateLimit, caller: Caller, empresaId: number | null): Promise<void> {
  await limit.consume(callerKey(caller))
  if (empresaId !== null) await limit.consume(`empresa:${empresaId}`)
}

/** Error for a failed probe: 422 on the field if the host or the password is refused, else 503. */
export function probeError({ falha, porta, onvif, causa }: EdgeFailure): VigiaError {
  if (falha === 'endereco_recusado') return invalid(['body', 'host'], failureText[falha])
  if (falha === 'senha_recusada')
    return invalid(['body', 'senha'], [failureText[falha], ...refusedCall(onvif)].join(' '))
  if (porta !== undefined) return new VigiaError('indisponivel', { detalhe: portText(porta) })
  const seen = (causa && causaText(causa)) ?? failureText[falha]
  return new VigiaError('indisponivel', { detalhe: [seen, ...silentCall(falha, onvif)].join(' ') })
}
