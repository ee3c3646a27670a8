import type { Camera } from '@vigia/contracts/cameras'
import { invalid } from '@vigia/contracts/errors'
import { countZonas } from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import type {
  AlcanceProva,
  AndamentoProva,
  AndamentoProvaQuery,
  ConfiguracaoProva,
  EventoProva,
  Prova,
  ProvaCreate,
} from '@vigia/contracts/provas'
import type { Clock } from '../../../adapters/clock.ts'
import { auditProva } from '../../../audit/audit-prova.ts'
import { janelaNear } from '../../../db/janelas-prova.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { outcomeOf } from './prova-outcome.ts'
import { type EventoSeen, eventosSince, insertProva } from './prova-store.ts'
import { requireCamera } from './require-camera.ts'
import { viewCamera } from './view-camera.ts'
import { viewProva } from './view-prova.ts'

/** Largest number of eventos in one record. */
const EVENTOS = 50

/** How far a walk has come that began `duracao_s` ago. @throws VigiaError `nao_encontrado` */
export async function followProva(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  id: number,
  { duracao_s, viu }: AndamentoProvaQuery,
): Promise<AndamentoProva> {
  const fim = clock.now()
  const camera = viewCamera(await requireCamera(db, caller, id), fim)
  const claimed = fim - duracao_s * 1000
  const { inicio = claimed } = (await janelaNear(db, id, claimed)) ?? {}
  const eventos = await eventosSince(db, id, inicio, EVENTOS)
  return outcomeOf(db, caller, { camera, eventos, viu: viu === 'true', fim })
}

/**
 * Stores the result of a walk test that ends now, with the eventos of the camera since its start. A begin and an end
 * that were announced (`switchProva`) count by the clock of the cloud. The camera is locked,
 * so that the stored configuration is the one in force.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao` (a zone that the camera does not have).
 */
export async function createProva(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  id: number,
  { duracao_s, aprovada, nota, rotulos, zonas, tela_ms, encerrada_s }: ProvaCreate,
): Promise<Prova> {
  requireWrite(caller)
  await requireCamera(db, caller, id)
  return transact(db, async (tx) => {
    await lockCamera(tx, id)
    const fim = clock.now()
    const camera = viewCamera(await requireCamera(tx, caller, id), fim)
    const configuracao = configurationOf(camera)
    const unknown = zonas.findIndex((zona) => zona >= configuracao.zonas)
    if (unknown >= 0) throw invalid(['body', 'zonas', unknown], 'A câmera não tem esta zona')
    const claimed = fim - duracao_s * 1000
    const janela = await janelaNear(tx, id, claimed)
    const inicio = janela?.inicio ?? claimed
    const seen = await eventosSince(tx, id, inicio, EVENTOS)
    const eventos = seen.map(viewEventoProva)
    // An event that the person saw came before the browser announced the end.
    const ended = Math.max(inicio + (encerrada_s ?? 0) * 1000, Math.min(janela?.fim ?? 0, fim))
    const scene = { camera, eventos: seen, viu: rotulos.length > 0, fim: ended }
    const outcome = encerrada_s == null ? null : await outcomeOf(tx, caller, scene)
    const row = await insertProva(tx, {
      empresa_id: camera.empresa_id,
      camera_id: id,
      camera_nome: camera.nome,
      inicio,
      fim,
      aprovada: aprovada ? 1 : 0,
      alcance: reachOf(eventos, rotulos),
      nota: nota ?? null,
      feita_por: caller.username ?? caller.chave?.nome ?? '',
      rotulos_json: JSON.stringify([...new Set(rotulos)]),
      zonas_json: JSON.stringify([...new Set(zonas)]),
      tela_ms: tela_ms ?? null,
      eventos_json: JSON.stringify(eventos),
      configuracao_json: JSON.stringify(configuracao),
      desfecho: outcome?.desfecho ?? null,
      passo_falho: outcome?.passo_falho ?? null,
    })
    await auditProva(tx, fim, caller, { acao: 'testar', antes: null, depois: row })
    return viewProva(row)
  })
}

function configurationOf(camera: Camera): ConfiguracaoProva {
  const { ias_habilitadas, zonas, nomes_zonas, linha, resolucao, fps, codec } = camera
  const shapes = { zonas: countZonas(zonas), nomes_zonas, linha: linha.length > 0 }
  return { ias: ias_habilitadas, ...shapes, resolucao, fps, codec }
}

function viewEventoProva(row: EventoSeen): EventoProva {
  const tipo = nomesIas.find((nome) => nome === row.tipo)
  if (tipo === undefined) throw new Error(`evento ${row.id} has the unknown IA ${row.tipo}`)
  return {
    id: row.id,
    tipo,
    veredito: row.veredito_decisao ?? 'pendente',
    zona: row.zona,
    chegada_ms: row.recebido_em - row.ocorrido_em,
    verificacao_ms: row.verificado_em === null ? null : row.verificado_em - row.ocorrido_em,
  }
}

function reachOf(eventos: readonly EventoProva[], rotulos: readonly string[]): AlcanceProva {
  if (eventos.some(({ veredito }) => veredito === 'confirmado')) return 'alerta'
  if (eventos.length > 0) return 'evento'
  return rotulos.length > 0 ? 'imagem' : 'nada'
}
