import type { Mensagem, Texto } from './interface.ts'
import { localTime } from './local-time.ts'

/** Text of a message that opens a gate. People get none: only programs read the canal of a gate. */
export function describePortao({
  empresa,
  camera,
  passagem,
}: Extract<Mensagem, { readonly passagem: unknown }>): Texto {
  const onde = camera?.nome ?? ''
  const quando = localTime(passagem.ocorrido_em, empresa.fusoHorario)
  const titulo = `Abrir portão: ${onde} (${empresa.nome})`
  return {
    titulo,
    abertura: 'Uma placa permitida pediu para abrir o portão.',
    dados: [
      ['Empresa', empresa.nome],
      ['Câmera', onde],
      ['Placa', passagem.placa],
      ['Quando', quando],
    ],
    modelo: [empresa.nome, onde, titulo, quando],
  }
}
