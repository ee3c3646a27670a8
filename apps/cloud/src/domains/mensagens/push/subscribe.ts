import { ECDH } from 'node:crypto'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { TesteCanal } from '@vigia/contracts/notificacoes'
import { type InscricaoPush, type InscricaoPushCreate, MAX_INSCRICOES } from '@vigia/contracts/push'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { isNeverPublic } from '../../../adapters/senders/public-address.ts'
import { auditInscricao } from '../../../audit/audit-inscricao.ts'
import { lockRow } from '../../../db/locks.ts'
import { networksOf } from '../../../db/own-networks.ts'
import type { InscricaoRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerKey, notFound, requireLogin } from '../../../http/caller.ts'
import type { PushDeps } from './deps.ts'
import { endpointHash, openDestination, sealDestination } from './destination.ts'
import { testMessage } from './push-message.ts'
import { deleteInscricao, findInscricao, listInscricoes, noteOutcome, saveInscricao } from './store.ts'

/** The subscriptions of the caller's login. @throws VigiaError `proibido` (no login). */
export async function listOwn({ db }: PushDeps, caller: Caller): Promise<InscricaoPush[]> {
  return (await listInscricoes(db, requireLogin(caller))).map(viewInscricao)
}

/**
 * Subscribes a browser for the caller's login. The same browser again changes its subscription, also to another login.
 * @param contato address of the dashboard, for the push service
 * @throws VigiaError `validacao` (no address of a push service), `conflito` (too many browsers), `proibido` (no login)
 */
export async function subscribe(
  deps: PushDeps,
  caller: Caller,
  { endpoint, chaves, gravidade_min, nome }: InscricaoPushCreate,
  contato: string,
): Promise<InscricaoPush> {
  const { db, clock, box } = deps
  const usuarioId = requireLogin(caller)
  const servico = pushService(deps, endpoint, await networksOf(db, caller.empresaId))
  requirePoint(chaves.p256dh)
  await deps.keys.current()
  const now = clock.now()
  const row = await transact(db, async (tx) => {
    if (!(await lockRow(tx, 'usuarios', usuarioId))) throw notFound('Login não encontrado.')
    const hash = endpointHash(endpoint)
    const own = await listInscricoes(tx, usuarioId)
    const antes = own.find(({ endpoint_hash }) => endpoint_hash === hash) ?? null
    if (!antes && own.length >= MAX_INSCRICOES) throw tooMany()
    const saved = await saveInscricao(
      tx,
      { usuario_id: usuarioId, endpoint_hash: hash, servico, contato, gravidade_min, nome, criada_em: now },
      (id) => sealDestination(box, id, { endpoint, ...chaves }),
    )
    const empresa = { empresa_id: caller.empresaId }
    await auditInscricao(tx, now, caller, {
      antes: antes && { ...antes, ...empresa },
      depois: { ...saved, ...empresa },
    })
    return saved
  })
  return viewInscricao(row)
}

/** @throws VigiaError `nao_encontrado` (also of another login), `proibido` (no login). */
export async function unsubscribe({ db, clock }: PushDeps, caller: Caller, id: number): Promise<void> {
  const usuarioId = requireLogin(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'usuarios', usuarioId)
    await requireOwn(await findInscricao(tx, id), usuarioId)
    const row = await deleteInscricao(tx, id)
    if (!row) throw gone()
    await auditInscricao(tx, clock.now(), caller, { antes: { ...row, empresa_id: caller.empresaId }, depois: null })
  })
}

/**
 * Sends a test message to one browser of the caller's login at once.
 * @throws VigiaError `nao_encontrado`, `muitas_requisicoes`, `proibido`.
 */
export async function testInscricao(
  deps: PushDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<TesteCanal> {
  const { db, clock, box, keys, send } = deps
  const row = await requireOwn(await findInscricao(db, id), requireLogin(caller))
  await deps.testLimit.consume(callerKey(caller))
  const named = { ...row, empresa_id: caller.empresaId }
  await auditInscricao(db, clock.now(), caller, { acao: 'testar', antes: named, depois: named })
  const redes = await networksOf(db, caller.empresaId)
  const envio = { destino: openDestination(box, row), chave: await keys.current(), contato: row.contato, redes }
  const resultado = await send({ ...envio, aviso: testMessage(row.nome) }, signal)
  const { ok } = resultado
  if (!ok && resultado.encerrada) await deleteInscricao(db, id)
  else await noteOutcome(db, id, ok ? { entregue_em: clock.now(), erro: null } : { erro: resultado.erro })
  return { ok, erros: ok ? [] : [resultado.erro], avisos: [] }
}

async function requireOwn(row: InscricaoRow | undefined, usuarioId: number): Promise<InscricaoRow> {
  if (!row || row.usuario_id !== usuarioId) throw gone()
  return row
}

const gone = () => notFound('Aparelho não encontrado.')
const tooMany = () =>
  new VigiaError('conflito', {
    detalhe: `Este login já avisa ${MAX_INSCRICOES} aparelhos. Retire um deles para ligar outro.`,
  })

function requirePoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
  } catch {
    throw invalid(['body', 'chaves', 'p256dh'], 'Não é a chave pública de um navegador.', 'push_key')
  }
}

/**
 * Host of the push service. Browsers give https addresses. http is accepted only where VIGIA_WEBHOOK_PERMITIR names
 * the address. The sender checks the resolved address at each delivery.
 * @param redes networks that are not public and that the Empresa of the login may reach
 */
function pushService({ allowed }: PushDeps, endpoint: string, redes: AllowedCidrs): string {
  const { host, hostname, protocol, username, password } = new URL(endpoint)
  const named = !isNeverPublic(hostname, allowed) && isNeverPublic(hostname, [])
  const isRefused = isNeverPublic(hostname, [...allowed, ...redes])
  if (username || password || isRefused || (protocol !== 'https:' && !named))
    throw invalid(['body', 'endpoint'], 'Não é o endereço de um serviço de avisos do navegador.', 'push_endpoint')
  return host
}

const viewInscricao = (row: InscricaoRow): InscricaoPush => ({
  id: row.id,
  nome: row.nome,
  gravidade_min: row.gravidade_min,
  servico: row.servico,
  criada_em: new Date(row.criada_em).toISOString(),
  entregue_em: row.entregue_em === null ? null : new Date(row.entregue_em).toISOString(),
  erro: row.erro,
})
