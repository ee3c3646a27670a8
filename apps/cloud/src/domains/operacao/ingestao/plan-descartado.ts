import type { ConfirmacaoExtra, Descartado } from '@vigia/contracts/extras'
import { fitsItsPixels, jpegSize } from '@vigia/link/jpeg-size'
import type { MediaFile } from '../../../adapters/media-store/interface.ts'
import type { DescartadoRow } from '../../../db/descartados.ts'
import { MAX_INSTANTE } from './candidate-row.ts'
import type { KnownDescartados } from './descartado-store.ts'

/** Discarded candidates of one camera within an hour. An edge sends at most 60 without an event, and one for each. */
const MOST_PER_HOUR = 600
/** Longest side of a picture, in pixels. */
const MAX_SIDE = 2_048

interface Planned {
  readonly resposta: Pick<ConfirmacaoExtra, 'resultado' | 'motivo'>
  readonly linha: Omit<DescartadoRow, 'id'> | null
  readonly midia: MediaFile | null
}

/** Plans the discarded candidates of one message, one by one. @param now cloud clock in epoch ms */
export function createDescartadoPlan(known: KnownDescartados, now: number) {
  const uuids = new Set(known.uuids)
  const counts = new Map(known.naHora)
  const refused = (motivo: string): Planned => ({
    resposta: { resultado: 'recusado', motivo },
    linha: null,
    midia: null,
  })

  return (descartado: Descartado, imagem: Buffer): Planned => {
    const { id, camera_id, ia, motivo, ocorrido_em, omitidos, tipo, v, imagem: declared, ...dados } = descartado
    const empresa_id = known.empresas.get(camera_id)
    if (empresa_id === undefined) return refused('A câmera não existe, ou é de outra caixa.')
    const uuid = id.toLowerCase()
    if (uuids.has(uuid)) return { resposta: { resultado: 'repetido', motivo: null }, linha: null, midia: null }
    const count = (counts.get(camera_id) ?? 0) + 1
    if (count > MOST_PER_HOUR) return refused('A câmera passou do limite de candidatos por hora.')
    if (ocorrido_em > MAX_INSTANTE) return refused('O instante do candidato não é válido.')
    const size = declared && jpegSize(imagem)
    if (declared && (!size || Math.max(size.width, size.height) > MAX_SIDE || !fitsItsPixels(imagem, size)))
      return refused('A imagem não é um JPEG válido, ou é grande demais.')
    uuids.add(uuid)
    counts.set(camera_id, count)
    const caminho = declared && mediaPath(uuid, now)
    const about = { uuid, empresa_id, camera_id, tipo: ia, motivo, ocorrido_em, recebido_em: now, omitidos }
    return {
      resposta: { resultado: 'gravado', motivo: null },
      linha: { ...about, dados_json: JSON.stringify(dados), caminho },
      midia: caminho === null ? null : { path: caminho, bytes: imagem },
    }
  }
}

/** Folders are named by the cloud's day of arrival, because an edge's clock is not trusted. */
const mediaPath = (uuid: string, epochMs: number): string =>
  `descartados/${new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')}/${uuid}.jpg`
