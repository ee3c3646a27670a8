import {
  ANGULO_BOM,
  BORRAO_BOM,
  LARGURA_BOA_PX,
  LEITURA_BOA,
  type LeituraPlacas,
} from '@vigia/contracts/leitura-placas'
import type { QualidadePlaca } from '@vigia/contracts/registro-passagem'

interface SeenPlate {
  readonly isRead: boolean
  /** null: no plate was found. */
  readonly qualidade: QualidadePlaca | null
}

/** Figures of the passages of one camera, and what to change at it. */
export function advise(passages: readonly SeenPlate[]): LeituraPlacas {
  const plates = passages.flatMap(({ qualidade }) => qualidade ?? [])
  const figures = {
    passagens: passages.length,
    com_placa: passages.filter(({ isRead }) => isRead).length,
    largura_px: median(plates.map(({ largura_px }) => largura_px)),
    borrao_px: median(plates.flatMap(({ borrao_px }) => borrao_px ?? [])),
    angulo_graus: median(plates.map(({ angulo_graus }) => angulo_graus)),
  }
  return { ...figures, conselhos: adviceOf(figures) }
}

function adviceOf(figures: Omit<LeituraPlacas, 'conselhos'>): LeituraPlacas['conselhos'] {
  const { passagens, com_placa, largura_px, borrao_px, angulo_graus } = figures
  if (passagens === 0) return ['sem_passagens']
  if (largura_px === null) return ['sem_placas']
  const advice: LeituraPlacas['conselhos'] = []
  if (largura_px < LARGURA_BOA_PX) advice.push('aproximar')
  if (borrao_px !== null && borrao_px > Math.max(2, BORRAO_BOM * largura_px)) advice.push('exposicao')
  if (Math.abs(angulo_graus ?? 0) > ANGULO_BOM) advice.push('nivelar')
  return advice.length === 0 && com_placa >= LEITURA_BOA * passagens ? ['boa'] : advice
}

/** The middle value, rounded to a tenth; null: none. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  return middle === undefined ? null : Math.round(middle * 10) / 10
}
