import { invalid, VigiaError } from '@vigia/contracts/errors'
import {
  type FalhaListaGravacao,
  type GravacaoListada,
  type ListaGravacao,
  MAX_LISTA_GRAVACAO_MS,
  type TrechoGravado,
} from '@vigia/contracts/gravacoes'
import { failureText } from '@vigia/contracts/pedido-failures'
import type { Clock } from '../../../../adapters/clock.ts'
import type { RateLimit } from '../../../../adapters/rate-limits/interface.ts'
import type { Database } from '../../../../db/open.ts'
import { type Caller, callerKey } from '../../../../http/caller.ts'
import { type AskEdge, requireCamera } from '../../../locais/public.ts'
import { gravadorOf } from './store.ts'

export interface ListDeps {
  readonly db: Database
  readonly clock: Clock
  readonly askEdge: AskEdge
  /** Lists of a login, and of a recorder. */
  readonly listLimit: RateLimit
}

/** ISO 8601. Absent: the last 24 hours. */
interface Period {
  readonly inicio?: string | undefined
  readonly fim?: string | undefined
}

/** The edge may have to measure the clock of the recorder first, by playing two short parts. */
const PRAZO_MS = 55_000

const reasons: Readonly<Record<FalhaListaGravacao, string>> = {
  sem_arquivo:
    'O Vigia ainda não sabe listar as gravações deste modelo de gravador. Confira o horário no próprio gravador. ' +
    'Para ter as próximas aqui, ligue a gravação contínua em Prova e saúde da câmera.',
  sem_lista:
    'O gravador não listou as gravações. Confira se o acesso HTTP dele está ligado na porta 80 ou 8080; se a porta é ' +
    'outra, ponha-a em VIGIA_GRAVADOR_PORTAS na caixa. Buscar um trecho funciona sem a lista.',
  sem_permissao:
    'O gravador mostra o vídeo, mas não lista as gravações para este usuário. Dê a ele o direito de reprodução ' +
    '(playback) no gravador.',
  senha_recusada:
    'O gravador recusou o usuário ou a senha. Confira as credenciais da câmera; em 30 minutos tente de novo.',
  inalcancavel: 'A caixa não alcançou o gravador. Confira se ele está ligado e na rede, e tente outra vez.',
  sem_conexao_livre: 'O gravador está sem conexões livres. Feche outros acessos a ele e tente outra vez.',
  interno: 'A caixa falhou ao listar as gravações. Tente outra vez.',
}

/**
 * Lists what the recorder of a camera and its edge hold in a period.
 * @param signal aborts when the caller disconnects; the edge then stops the command
 * @throws VigiaError `nao_encontrado`, `validacao`, `conflito` (inactive), `muitas_requisicoes`, `indisponivel`
 */
export async function listGravacao(
  { db, clock, askEdge, listLimit }: ListDeps,
  caller: Caller,
  cameraId: number,
  period: Period,
  signal: AbortSignal,
): Promise<GravacaoListada> {
  const camera = await requireCamera(db, caller, cameraId)
  const { inicio, fim } = spanOf(period, clock.now())
  if (camera.ativa === 0)
    throw new VigiaError('conflito', { detalhe: 'A câmera está desativada. Ative-a para ver as gravações.' })
  if (camera.edge_id === null)
    throw new VigiaError('indisponivel', { detalhe: 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa.' })
  await listLimit.consume(callerKey(caller))
  await listLimit.consume(gravadorOf(camera))
  const comando = { acao: 'listar_gravacao', camera_id: cameraId, inicio, fim } as const
  const answer = await askEdge(camera.edge_id, comando, { prazoMs: PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  const { gravador, caixa } = answer.resultado
  const held = gravador.estado === 'lista' ? gravador.trechos : []
  return {
    camera_id: cameraId,
    inicio: instant(inicio),
    fim: instant(fim),
    trechos: [...view(held, 'gravador'), ...view(caixa, 'caixa')],
    gravador: gravador.estado !== 'lista' ? 'sem_lista' : gravador.completa ? 'completa' : 'incompleta',
    detalhe: detailOf(gravador),
    relogio: gravador.estado === 'lista' ? gravador.relogio : null,
  }
}

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

const view = (spans: ListaGravacao['caixa'], fonte: TrechoGravado['fonte']): TrechoGravado[] =>
  spans.map(({ de, ate, incerta_ms }) => ({
    inicio: instant(de),
    fim: instant(ate),
    fonte,
    ...(incerta_ms !== undefined && { hora_incerta: { de: instant(de), ate: instant(de + incerta_ms) } }),
  }))

function detailOf(gravador: ListaGravacao['gravador']): string | null {
  if (gravador.estado === 'sem_lista') return reasons[gravador.falha]
  return gravador.completa ? null : 'O gravador tem mais trechos do que a lista. Peça um período menor.'
}

/** The end may be in the future, so that the current day is one period. */
function spanOf(period: Period, now: number) {
  const fim = period.fim === undefined ? now : Date.parse(period.fim)
  const inicio = period.inicio === undefined ? fim - MAX_LISTA_GRAVACAO_MS : Date.parse(period.inicio)
  if (inicio < 0) throw invalid(['query', 'inicio'], 'O começo é antes de 1970')
  if (inicio > now) throw invalid(['query', 'inicio'], 'O começo ainda não chegou')
  if (fim <= inicio) throw invalid(['query', 'fim'], 'O fim precisa ser depois do começo')
  if (fim - inicio > MAX_LISTA_GRAVACAO_MS)
    throw invalid(['query', 'fim'], 'O período passa de 24 horas. Peça-o em partes')
  return { inicio, fim }
}
