import type { ChamadaGravador, DiagnosticoGravador } from '@vigia/contracts/diagnostico-gravador'
import { VigiaError } from '@vigia/contracts/errors'
import { failureText } from '@vigia/contracts/pedido-failures'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { countProbe, type Probing } from '../edges/ask/probing.ts'
import { requireGravador } from './require-gravador.ts'

interface DiagnoseDeps {
  readonly db: Database
  readonly clock: Clock
  readonly probing: Probing
}

/** Some recorders need seconds for each call. */
const PRAZO_MS = 100_000

/**
 * Has the edge run each read-only call on a gravador, with the address of one of its cameras. The report names no
 * address, login or serial number.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (no camera), `muitas_requisicoes`, `indisponivel`
 */
export async function diagnoseGravador(
  { db, clock, probing }: DiagnoseDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<DiagnosticoGravador> {
  requireWrite(caller)
  const gravador = await requireGravador(db, caller, id)
  const camera = await db
    .selectFrom('cameras')
    .select(['id', 'edge_id'])
    .where('gravador_id', '=', id)
    .where('ativa', '=', 1)
    .where('edge_id', 'is not', null)
    .orderBy('id')
    .executeTakeFirst()
  if (!camera || camera.edge_id === null)
    throw new VigiaError('conflito', {
      detalhe: 'O diagnóstico usa uma câmera ativa deste gravador, com uma caixa. Ative uma e tente outra vez.',
    })
  await countProbe(probing.limit, caller, gravador.empresa_id)
  const comando = { acao: 'diagnosticar_gravador', camera_id: camera.id } as const
  const answer = await probing.askEdge(camera.edge_id, comando, { prazoMs: PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  const chamadas = answer.resultado.chamadas.map((call) => ({
    chamada: call.chamada,
    titulo: titleOf(call),
    resultado: call.resultado,
    ms: call.ms,
    significado: meaningOf(call),
  }))
  const feito_em = new Date(clock.now()).toISOString()
  return { gravador_id: id, feito_em, chamadas, texto: textOf(`${gravador.fabricante}, ${feito_em}`, chamadas) }
}

const titles: Readonly<Record<ChamadaGravador['chamada'], string>> = {
  ao_vivo: 'Vídeo ao vivo (RTSP DESCRIBE)',
  porta_http: 'Porta HTTP',
  relogio: 'Relógio (ONVIF GetSystemDateAndTime)',
  lista: 'Lista das últimas 24 horas',
  reproducao: 'Reprodução de 10 minutos atrás (RTSP DESCRIBE)',
}
const titleOf = ({ chamada, porta }: ChamadaGravador): string =>
  porta === null ? titles[chamada] : `${titles[chamada]} ${porta}`

const meanings: Readonly<Record<ChamadaGravador['resultado'], string>> = {
  ok: 'Respondeu como esperado.',
  nao_respondeu: 'Não respondeu. Confira se o serviço está ligado no gravador, e se a caixa o alcança na rede.',
  recusou_login: 'Recusou o usuário ou a senha. Corrija-os em Senha e endereço, no cartão do gravador.',
  sem_permissao: 'Este usuário não tem o direito. Dê a ele o direito de reprodução (playback) no gravador.',
  sem_suporte: 'O Vigia não conhece esta chamada neste modelo, ou o gravador não a tem nas portas HTTP testadas.',
  nao_encontrado: 'O gravador não tem vídeo neste endereço ou neste horário. Confira se ele grava este canal.',
  ocupado: 'O gravador está sem conexões livres. Feche outros acessos a ele e tente outra vez.',
  resposta_estranha: 'O gravador respondeu de um jeito que o Vigia não conhece. Mande este relatório ao suporte.',
  nao_tentada: 'Não foi tentada, porque o login foi recusado antes e o gravador poderia se bloquear.',
}
const MINUTE_S = 60

function meaningOf({ chamada, resultado, status, trechos, relogio }: ChamadaGravador): string {
  const parts = [meanings[resultado]]
  if (chamada === 'porta_http' && resultado === 'nao_respondeu') parts[0] = 'Fechada, ou não é HTTP.'
  if (relogio) parts.push(clockText(relogio))
  if (trechos !== null) parts.push(trechos === 1 ? '1 trecho gravado.' : `${trechos} trechos gravados.`)
  if (status !== null) parts.push(`Código ${status}.`)
  return parts.join(' ')
}

function clockText({ desvio_ms, fuso_min, z_local, medido }: NonNullable<ChamadaGravador['relogio']>): string {
  const seconds = Math.round(desvio_ms / 1000)
  const [sign, minutes] = [fuso_min < 0 ? '-' : '+', Math.abs(fuso_min)]
  const zone = `${sign}${Math.floor(minutes / MINUTE_S)}:${String(minutes % MINUTE_S).padStart(2, '0')}`
  const measured = medido ? '' : ' Não foi medido por inteiro: valem o fuso da câmera e desvio zero.'
  return `Desvio de ${seconds} s, fuso ${zone}, Z como ${z_local ? 'hora local' : 'UTC'}.${measured}`
}

const textOf = (head: string, calls: DiagnosticoGravador['chamadas']): string =>
  [
    'Diagnóstico do gravador',
    head,
    ...calls.flatMap(({ titulo, resultado, ms, significado }) => [
      '',
      `${titulo}: ${resultado}, ${ms} ms`,
      `  ${significado}`,
    ]),
    '',
  ].join('\n')
