import type { Evento } from '@vigia/contracts/eventos'
import { catalogoIas } from '@vigia/contracts/ias'
import { assuntoDe, desfechoDe } from '@vigia/contracts/palavras-veredito'
import type { AvisoPush } from '@vigia/contracts/push'
import { localTime } from '../../adapters/senders/local-time.ts'
import type { EmpresaRow } from '../../db/rows.ts'

/** @param imagem signed address; null: the event has no picture */
export function pushMessage(
  evento: Evento,
  empresa: Pick<EmpresaRow, 'nome' | 'fuso_horario'>,
  etiqueta: string,
  imagem: string | null,
): AvisoPush {
  const quando = localTime(evento.ocorrido_em, empresa.fuso_horario)
  const incerto = evento.veredito !== null && desfechoDe(evento.veredito) === 'incerto'
  const titulo = incerto ? `Pode ser ${assuntoDe(evento)}` : catalogoIas[evento.tipo].titulo
  return {
    titulo: `${titulo}: ${evento.camera_nome}`,
    corpo: `${empresa.nome}, ${quando}`,
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
