import { catalogoIas } from '@vigia/contracts/ias'
import type { Mensagem } from './interface.ts'

/** A notification as a person reads it. */
export interface Texto {
  readonly titulo: string
  readonly abertura: string
  /** Label and value. */
  readonly dados: readonly (readonly [string, string])[]
}

const gravidades = { baixa: 'Baixa', media: 'Média', alta: 'Alta', critica: 'Crítica' } as const

/** @returns Portuguese text; a test says in its title and in its first sentence that it is one. */
export function describeMessage({ tipo, empresa, camera, evento }: Mensagem): Texto {
  const ia = catalogoIas[evento.tipo].titulo
  const onde = camera?.nome ?? evento.camera_nome
  const teste = tipo === 'teste'
  return {
    titulo: teste ? `Teste de notificação: ${empresa.nome}` : `${ia}: ${onde} (${empresa.nome})`,
    abertura: teste
      ? 'Este é um teste: nenhum evento aconteceu. Se você recebeu esta mensagem, o canal de notificação funciona.'
      : 'O Vigia confirmou um evento.',
    dados: [
      ['Empresa', empresa.nome],
      ['Câmera', onde],
      ['O que foi visto', teste ? `${ia} (exemplo)` : ia],
      ['Gravidade', gravidades[evento.gravidade]],
      ['Quando', localTime(evento.ocorrido_em, empresa.fusoHorario)],
      ...(evento.veredito ? ([['Verificação', evento.veredito.motivo]] as const) : []),
    ],
  }
}

/** ISO instant → `21/11/2026 07:08:09` in that time zone. */
const localTime = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone })
    .format(new Date(iso))
    .replace(',', '')
