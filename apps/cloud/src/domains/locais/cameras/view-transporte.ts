import { type Leitura, perdasSchema, type Transporte, type TransporteCamera } from '@vigia/contracts/transporte'
import type { CameraRow } from '../../../db/rows.ts'

type Read = Pick<CameraRow, 'transporte' | 'relato_leitura' | 'relato_perdas_json' | 'audio'>

const SILENT =
  'A caixa ainda não disse como recebe o vídeo. Uma caixa com um programa antigo não diz, e não obedece a esta ' +
  'escolha: atualize-a.'
const UDP =
  'O vídeo vem por UDP. Se a rede perde pacotes, a imagem para até o próximo quadro inteiro: use cabo, ou escolha ' +
  'TCP se o equipamento o aceita.'
const SECOND =
  'A caixa lê esta câmera com o segundo leitor (FFmpeg), porque o próprio não a leu. Atualize o firmware da câmera, ' +
  'se houver versão nova, e informe o modelo dela ao suporte.'
const AUDIO = 'Com o som ligado, a caixa lê esta câmera com o segundo leitor (FFmpeg).'

export function viewTransporte(row: Read): TransporteCamera {
  const leitura = row.relato_leitura as Leitura | null
  const perdas = row.relato_perdas_json === null ? null : perdasSchema.parse(JSON.parse(row.relato_perdas_json))
  return { transporte: row.transporte as Transporte, leitura, perdas, detalhe: detailOf(row, leitura) }
}

function detailOf({ transporte, audio }: Read, leitura: Leitura | null): string | null {
  if (leitura === null) return transporte === 'automatico' ? null : SILENT
  if (leitura === 'udp') return UDP
  return leitura === 'ffmpeg' ? (audio === 1 ? AUDIO : SECOND) : null
}
