import type { Estadia, Presenca } from '@vigia/contracts/presencas'
import type { Stay } from './open-stays.ts'
import type { MovementRow } from './store.ts'

/** A vehicle that is longer inside may have left unread. */
const LONG_STAY_MS = 24 * 3_600_000

const instant = (epochMs: number): string => new Date(epochMs).toISOString()
/** The clocks of edge and cloud may differ: never negative. */
const seconds = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / 1000))

const viewMovement = ({ id, camera_id, camera_nome, ocorrido_em }: MovementRow) => ({
  passagem_id: id,
  camera_id,
  camera_nome,
  ocorrido_em: instant(ocorrido_em),
})

/** @param now cloud clock in epoch ms */
export const viewPresenca = (entrada: MovementRow, now: number): Presenca => ({
  empresa_id: entrada.empresa_id,
  placa: entrada.placa,
  local: entrada.local,
  situacao: entrada.situacao,
  veiculo: entrada.veiculo,
  entrada: viewMovement(entrada),
  permanencia_s: seconds(entrada.ocorrido_em, now),
  sem_saida: now - entrada.ocorrido_em > LONG_STAY_MS,
  foto_url: entrada.foto_path === null ? null : `/api/v1/passagens/${entrada.id}/foto?papel=veiculo`,
})

/** @param now cloud clock in epoch ms */
export function viewEstadia({ entrada, saida, semelhante, aberta }: Stay<MovementRow>, now: number): Estadia {
  const { placa, local } = stayOf(entrada, saida)
  const fim = saida?.ocorrido_em ?? entrada?.encerrada_em ?? (aberta ? now : null)
  return {
    placa,
    local,
    aberta,
    entrada: entrada && viewMovement(entrada),
    saida: saida && viewMovement(saida),
    saida_semelhante: semelhante,
    placa_saida: saida?.placa ?? null,
    permanencia_s: entrada === null || fim === null ? null : seconds(entrada.ocorrido_em, fim),
    encerrada_por: entrada?.encerrada_por ?? null,
    encerrada_em: entrada?.encerrada_em == null ? null : instant(entrada.encerrada_em),
  }
}

function stayOf(entrada: MovementRow | null, saida: MovementRow | null): MovementRow {
  const first = entrada ?? saida
  if (!first) throw new Error('a stay has neither an entry nor an exit')
  return first
}
