import type { MensagemQueda, Texto } from './interface.ts'
import { localTime, shownDuration } from './local-time.ts'

/** Portuguese texts for each kind of queda. */
const words = {
  'edge.offline': {
    rotulo: 'Caixa',
    o_que: 'Caixa fora do ar',
    abertura: 'A central está sem contato com uma caixa: os eventos das câmeras dela só chegam quando ela voltar.',
  },
  'edge.online': { rotulo: 'Caixa', o_que: 'Caixa de volta', abertura: 'Uma caixa que estava fora do ar voltou.' },
  'camera.offline': {
    rotulo: 'Câmera',
    o_que: 'Câmera fora do ar',
    abertura: 'Uma câmera está fora do ar: nada é visto nela até que volte.',
  },
  'camera.online': { rotulo: 'Câmera', o_que: 'Câmera de volta', abertura: 'Uma câmera que estava fora do ar voltou.' },
} as const

/** Portuguese text about the start or the end of a queda: object, start, reason and duration. */
export function describeQueda({ tipo, empresa, edge, queda }: MensagemQueda): Texto {
  const { rotulo, o_que, abertura } = words[tipo]
  const at = (iso: string) => localTime(iso, empresa.fusoHorario)
  const desde = at(queda.inicio)
  const ofCamera = queda.camera_id !== null && edge !== null
  const head = [
    ['Empresa', empresa.nome],
    [rotulo, queda.nome],
    ...(ofCamera ? ([['Caixa', edge.nome]] as const) : []),
  ] as const
  const titulo = `${o_que}: ${queda.nome} (${empresa.nome})`
  if (queda.fim === null)
    return {
      titulo,
      abertura,
      dados: [...head, ['Desde', desde], ['Motivo', queda.motivo_texto]],
      modelo: [empresa.nome, queda.nome, `${o_que}. ${queda.motivo_texto}`, desde],
    }
  const durou = shownDuration(Date.parse(queda.fim) - Date.parse(queda.inicio))
  return {
    titulo,
    abertura,
    dados: [
      ...head,
      ['De volta', at(queda.fim)],
      ['Fora do ar desde', desde],
      ['Por quanto tempo', durou],
      ['Motivo', queda.motivo_texto],
    ],
    modelo: [empresa.nome, queda.nome, `${o_que}, depois de ${durou}`, at(queda.fim)],
  }
}
