import type { Evento } from '@vigia/contracts/eventos'
import { assuntoDe, desfechoDe } from '@vigia/contracts/palavras-veredito'
import type { AvisoPush } from '@vigia/contracts/push'
import { kindOf, plateLines } from '../../../adapters/senders/hide-plates.ts'
import { localWhen } from '../../../adapters/senders/local-time.ts'
import { maxGravidade } from '../../../db/incidentes.ts'
import type { EmpresaRow } from '../../../db/rows.ts'

/** Cameras that a summary names; the others are counted. */
const NAMED = 8

/** One message in place of several. The list of the dashboard has the details. */
export function pushSummary(
  itens: readonly { readonly evento: Evento; readonly empresa: Pick<EmpresaRow, 'nome'> }[],
  etiqueta: string,
): AvisoPush {
  const empresas = [...new Set(itens.map(({ empresa }) => empresa.nome))]
  const porCamera = [...Map.groupBy(itens, ({ evento }) => evento.camera_nome)].map(
    ([nome, some]) => `${nome} (${some.length})`,
  )
  const fora = porCamera.length - NAMED
  const cameras = [...porCamera.slice(0, NAMED), ...(fora > 0 ? [`mais ${fora}`] : [])].join(', ')
  return {
    titulo: `${itens.length} incidentes avisados com atraso`,
    corpo: `${empresas.length === 1 ? empresas[0] : `${empresas.length} Empresas`}: ${cameras}`,
    link: '/linha-do-tempo',
    imagem: null,
    etiqueta,
    gravidade: itens.reduce(
      (highest, { evento }) => maxGravidade(highest, evento.gravidade),
      itens[0]?.evento.gravidade ?? 'baixa',
    ),
  }
}

/**
 * @param evento as the login may see it
 * @param imagem signed address; null: the event has no picture
 */
export function pushMessage(
  evento: Evento,
  empresa: Pick<EmpresaRow, 'nome' | 'fuso_horario'>,
  etiqueta: string,
  imagem: string | null,
): AvisoPush {
  const quando = localWhen(evento, empresa.fuso_horario)
  const incerto = evento.veredito !== null && desfechoDe(evento.veredito) === 'incerto'
  const titulo = incerto ? `Pode ser ${assuntoDe(evento)}` : kindOf(evento)
  return {
    titulo: `${evento.prova ? 'Prova: ' : ''}${titulo}: ${evento.camera_nome}`,
    // The title names the list.
    corpo: [
      ...plateLines(evento).flatMap(([term, value]) => (term === 'Lista' ? [] : [value])),
      empresa.nome,
      quando,
    ].join(', '),
    link: evento.incidente_id === null ? `/eventos/${evento.id}` : `/incidentes/${evento.incidente_id}`,
    imagem,
    etiqueta,
    gravidade: evento.gravidade,
  }
}

export const testMessage = (nome: string): AvisoPush => ({
  titulo: 'Teste de aviso',
  corpo: `Nenhum evento aconteceu. Os avisos chegam a este aparelho: ${nome}.`,
  link: '/conta',
  imagem: null,
  etiqueta: 'teste',
  gravidade: 'alta',
})
