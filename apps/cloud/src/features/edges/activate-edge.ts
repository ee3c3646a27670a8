import { createPublicKey } from 'node:crypto'
import type { Ativado, Ativar } from '@vigia/contracts/edges'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import { hashActivationCode } from './activation-code.ts'
import type { ChangeDeps } from './change-edge.ts'
import { findEdgeByCode, activateEdge as useCode } from './store.ts'

export interface ActivateDeps extends ChangeDeps {
  /**
   * Signs the request as `edge-{id}`, whatever name it asks for; PEM, and the CA's. Rejects with `validacao` when the
   * request is not a valid one.
   */
  readonly sign: (edgeId: number, csrPem: string) => Promise<{ certificado: string; ca: string }>
  /** What activated edges connect to. */
  readonly mqttUrl: string
}

/**
 * Trades a one-time code for a client certificate. Public: the code is the credential. The code is used up last, in one
 * conditional update, so that a request that fails costs nothing and two at once cannot both succeed. From then on the
 * certificate of the box before is worth nothing.
 */
export async function activateEdge(deps: ActivateDeps, input: Ativar): Promise<Ativado> {
  const agora = deps.clock.now()
  const hash = hashActivationCode(input.codigo)
  const edge = hash === null ? undefined : await findEdgeByCode(deps.db, hash)
  if (hash === null || !edge) throw refused()
  if (edge.codigo_expira_em === null) throw used()
  if (edge.codigo_expira_em <= agora) throw refused()

  requireP256(input.chave_cifra)
  const { certificado, ca } = await deps.sign(edge.id, input.csr)
  const box = {
    chave_cifra_json: JSON.stringify(input.chave_cifra),
    certificado_sha256: certificateSha256(certificado),
  }
  if (!(await useCode(deps.db, edge.id, hash, box, agora))) throw used()
  // Before the answer: the box connects as soon as it has it.
  await deps.allowed.changed()
  deps.desired.changed(edge.id)
  return { edge_id: edge.id, certificado, ca, mqtt: { url: deps.mqttUrl } }
}

const refused = () =>
  new VigiaError('nao_autenticado', {
    detalhe: 'Código de ativação inválido ou vencido. Gere um código novo no cadastro do edge.',
  })
const used = () =>
  new VigiaError('conflito', {
    detalhe: 'Este código de ativação já foi usado. Gere um código novo no cadastro do edge.',
  })

function requireP256(jwk: Ativar['chave_cifra']): void {
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    throw invalid(['body', 'chave_cifra'], 'A chave não é um ponto da curva P-256.', 'key_invalid')
  }
}
