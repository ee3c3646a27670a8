import type { MensagemAviso, Texto } from './interface.ts'
import { localTime } from './local-time.ts'

/** Portuguese text of a state that asks a person to act. */
export function describeAviso({ empresa, aviso }: MensagemAviso): Texto {
  const desde = localTime(aviso.desde, empresa.fusoHorario)
  return {
    titulo: `${aviso.titulo} (${empresa.nome})`,
    abertura: aviso.texto,
    dados: [
      ['Empresa', empresa.nome],
      ['Desde', desde],
    ],
    modelo: [empresa.nome, 'Vigia', `${aviso.titulo}. ${aviso.texto}`, desde],
  }
}
