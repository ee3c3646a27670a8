import type { Decisao } from '@vigia/contracts/eventos'
import type { EventoRow } from '../../../db/rows.ts'
import { viewEvento } from './view-evento.ts'

/**
 * Returns the training data line of a reviewed crop: event, verdict at the review, calibration in force, and review.
 * Boxes are fractions of the whole frame in `quadro_path`. Ends with a newline: `cat dataset/confirmado/*.json` is JSON
 * Lines.
 */
export function datasetLine(
  row: EventoRow,
  review: { readonly rotulo: Decisao; readonly revisor: string; readonly now: number },
  cropPath: string,
): string {
  const { crop_url: _crop, clip_url: _clip, ...evento } = viewEvento(row)
  const line = {
    ...evento,
    uuid: row.uuid,
    modelo: row.modelo,
    calibracao: JSON.parse(row.calibracao_json),
    crop_path: cropPath,
    quadro_path: row.quadro_path,
    revisao: {
      rotulo_humano: review.rotulo,
      revisor: review.revisor,
      revisado_em: new Date(review.now).toISOString(),
    },
  }
  return `${JSON.stringify(line)}\n`
}
