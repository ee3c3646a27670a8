import { invalid } from '@vigia/contracts/errors'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import type { EmpresaRow } from '../db/rows.ts'

const REAL_DEVICE =
  'Esta Empresa é a demonstração, que é apagada com tudo o que está nela: escolha a sua Empresa ou crie uma'

/**
 * Refuses devices of a customer in a demonstration, because its end deletes everything in it. Simulated devices are on
 * the machine itself.
 * @param address host or stream URL
 * @throws VigiaError `validacao` on the field.
 */
export function requireSimulated({ demonstracao }: EmpresaRow, address: string, field: string): void {
  if (demonstracao === 0) return
  const host = canonicalHost(URL.parse(address)?.hostname || address)
  if (!/^(127(\.\d+){3}|::1|localhost)$/.test(host)) throw invalid(['body', field], REAL_DEVICE)
}
