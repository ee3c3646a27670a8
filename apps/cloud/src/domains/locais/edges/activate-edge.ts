import { createPublicKey } from 'node:crypto'
import type { Ativado, Ativar } from '@vigia/contracts/edges'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { hashActivationCode } from '../../../adapters/one-time-code.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import { auditEdge } from '../../../audit/audit-edge.ts'
import { lockEdge } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import type { ChangeDeps } from './change-edge.ts'
import { describeCertificate, type SignRequest } from './edge-certificate.ts'
import { formatInstant } from './format-instant.ts'
import { findEdge, findEdgeByCode, isUsedBy, storedEdge, activateEdge as useCode } from './store.ts'

export interface ActivateDeps extends ChangeDeps {
  readonly sign: SignRequest
  /** URL of the broker that activated edges connect to. */
  readonly mqttUrl: string
}

/** Origin of an activation request, for the audit log. */
interface Box {
  readonly endereco: string
  readonly pedido: string
}

/**
 * Exchanges a one-time code for a client certificate. Public route: the code is the credential. The code is consumed
 * last, in one conditional update: a failed request keeps the code, and of requests of two boxes only one succeeds.
 * The box that used the code gets another certificate for a while, because its answer may be lost. Its key shows that
 * it is the same box. Activation revokes earlier certificates of the edge. Cameras, configuration and sequence numbers
 * continue.
 */
export async function activateEdge(deps: ActivateDeps, input: Ativar, from: Box): Promise<Ativado> {
  const now = deps.clock.now()
  // A malformed code is looked up as well, so that the response time does not reveal its format.
  const hash = hashActivationCode(input.codigo) ?? ''
  const edge = await findEdgeByCode(deps.db, hash)
  if (!edge) throw refused('Código de ativação desconhecido. Confira as letras e os números, ou gere um código novo.')
  if (!edge.atual)
    throw refused('Este código de ativação foi substituído por um mais novo. Use o último código gerado.')
  const chave_cifra_json = JSON.stringify(input.chave_cifra)
  const isAgain = edge.codigo_expira_em === null && isUsedBy(edge, chave_cifra_json, now)
  if (edge.codigo_expira_em === null && !isAgain) throw used()
  if (edge.codigo_expira_em !== null && edge.codigo_expira_em <= now)
    throw await expired(deps, edge.id, edge.codigo_expira_em)

  requireP256(input.chave_cifra)
  const { certificado, ca } = await deps.sign(edge.id, input.csr)
  const box = {
    chave_cifra_json,
    certificado: describeCertificate(certificado),
  }
  const autor: Autor = { usuarioId: null, username: null, origem: { canal: 'edge', cliente: null, ...from } }
  const sequencias = await transact(deps.db, async (tx) => {
    await lockEdge(tx, edge.id)
    const before = await findEdge(tx, edge.id)
    const counted = await useCode(tx, edge.id, hash, box, now)
    if (before && counted !== null)
      await auditEdge(tx, now, autor, { acao: 'ativar', antes: before, depois: await storedEdge(tx, edge.id) })
    return counted
  })
  if (sequencias === null) throw used()
  // This step precedes the response, because the edge connects as soon as it receives the certificate.
  await deps.allowed.changed()
  deps.desired.changed(edge.id)
  return { edge_id: edge.id, certificado, ca, mqtt: { url: deps.mqttUrl }, sequencias }
}

const refused = (detalhe: string) => new VigiaError('nao_autenticado', { detalhe })

async function expired({ db }: ActivateDeps, edgeId: number, since: number): Promise<VigiaError> {
  const edge = await findEdge(db, edgeId)
  const when = formatInstant(since, edge?.fuso_horario ?? null)
  return refused(`Este código de ativação venceu em ${when}. Gere um código novo no cadastro da caixa.`)
}

const used = () =>
  new VigiaError('conflito', {
    detalhe: 'Este código de ativação já foi usado. Gere um código novo no cadastro da caixa.',
  })

function requireP256(jwk: Ativar['chave_cifra']): void {
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    throw invalid(['body', 'chave_cifra'], 'A chave não é um ponto da curva P-256.', 'key_invalid')
  }
}
